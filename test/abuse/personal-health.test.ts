import { newListingOf, verifiedSellerOf } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { beforeAll, expect, it } from 'vitest';

// Health data of one person that is listed as something else has no consent, and its buyers attest nothing.

const market = createTestMarketplace();
let seller: Awaited<ReturnType<typeof verifiedSellerOf>>;
beforeAll(async () => {
  seller = await verifiedSellerOf(market);
});

const HONEST = { title: 'Rows', description: 'Some rows.', preview: {}, priceCents: 0, consent: true };

async function send(method: string, path: string, body?: object) {
  const response = await market.request(method, path, { apiKey: seller.apiKey, ...(body && { body }) });
  const read = await readSigned(response);
  return {
    status: response.status,
    body: read.body as Record<string, unknown> & { listing?: { id: string } },
  };
}

const list = (fields: object) => send('POST', '/marketplace/listings', { ...HONEST, ...fields });

async function historyOf(id: string) {
  const { body } = await send('GET', `/marketplace/listings/${id}/history`);
  const { entries, chainValid } = body as unknown as {
    entries: { changes: Record<string, unknown> }[];
    chainValid: boolean;
  };
  expect(chainValid).toBe(true);
  return entries.map(({ changes }) => changes.notPersonalHealth);
}

it.each([
  ['under another vertical', { title: 'My blood work, 2019 to 2025', vertical: 'market-data' }, 'blood work'],
  ['under another category', { description: 'My genome, 30x.', category: 'services' }, 'genome'],
  ['in the preview', { preview: { format: 'DICOM' }, vertical: 'market-data' }, 'dicom'],
  ['in the tags', { contextTags: ['patient records'], vertical: 'market-data' }, 'patient record'],
  ['as a subcategory', { subcategory: 'blood-work', vertical: 'market-data' }, 'blood work'],
  ['with characters that nobody sees', { title: 'My bl\u200bood w\u00adork\u2063' }, 'blood work'],
  ['with letters of other alphabets', { title: 'Му blооd wоrk, DΙCΟМ' }, 'dicom'],
  ['with digits for letters', { title: 'My bl00d pre55ure and D1C0M' }, 'blood pressure'],
  ['in German', { title: 'Meine Blutdruckwerte', description: 'Blutdruck und Schlaf.' }, 'blutdruck'],
  ['in French', { title: 'Analyses de sang, trois ans' }, 'analyses de sang'],
  ['in Spanish', { title: 'Historial médico completo' }, 'historial medico'],
  ['in Portuguese', { title: 'Minha gravidez, dia por dia' }, 'gravidez'],
  ['in Italian', { title: 'La cartella clinica di una persona' }, 'cartella clinica'],
  [
    'in the property names of a schema',
    { outputSchema: { type: 'object', properties: { patientRecord: { type: 'string' } } } },
    'patient record',
  ],
  [
    'in the descriptions of a schema',
    { inputSchema: { type: 'object', description: 'Which of my lab results you want.' } },
    'lab results',
  ],
  ['in the example query', { exampleQuery: { of: 'my 23andMe' } }, '23andme'],
])('%s: refused, with its words named', async (_, fields, word) => {
  const { status, body } = await list(fields);
  expect([status, body.code]).toEqual([400, 'health_flow_required']);
  expect(body.detail).toContain(`“${word}”`);
});

it.each([
  ['title', { title: 'My medical records' }],
  ['description', { description: 'Heart rate and sleep of my daughter.' }],
  ['preview', { preview: { patient: 7, glucose: [5.1] } }],
  ['reason', { title: 'Rows, better', reason: 'Now with the medical records of my mother.' }],
])('by a change of the %s: refused, and nothing changes', async (_, patch) => {
  const { id } = await newListingOf(market, {}, seller);
  const { body: before } = await send('GET', `/marketplace/listings/${id}`);
  for (const way of [patch, { ...patch, priceCents: 0, active: true }]) {
    const { status, body } = await send('PATCH', `/marketplace/listings/${id}`, way);
    expect([status, body.code]).toEqual([400, 'health_flow_required']);
  }
  expect((await send('GET', `/marketplace/listings/${id}`)).body.listing).toEqual(before.listing);
});

it.each(['notPersonalHealth', 'not_personal_health'])(
  'an honest listing passes by the declaration (%s), which its history shows for good',
  async (spelling) => {
    const viewer = { title: 'DICOM viewer', description: 'A program for radiologists.' };
    expect((await list({ ...viewer, [spelling]: false })).body.code).toBe('health_flow_required');
    const { status, body } = await list({ ...viewer, [spelling]: true });
    expect([status, (body.listing as unknown as { verticalSlug: string }).verticalSlug]).not.toContain(
      'personal-health',
    );
    const id = body.listing?.id ?? '';
    expect(await historyOf(id)).toEqual([{ from: null, to: true }]);
    // What was declared is declared; new words are not.
    const path = `/marketplace/listings/${id}`;
    expect((await send('PATCH', path, { description: 'A DICOM program, faster.' })).status).toBe(200);
    expect((await send('PATCH', path, { description: 'My medical records.' })).status).toBe(400);
    expect((await send('PATCH', path, { description: 'Reads HL7 as well.', [spelling]: true })).status).toBe(
      200,
    );
    expect(await historyOf(id)).toEqual([{ from: null, to: true }, undefined, { from: true, to: true }]);
  },
);

it('two spellings that say different things are refused', async () => {
  const { status, body } = await list({
    title: 'DICOM viewer',
    notPersonalHealth: false,
    not_personal_health: true,
  });
  expect([status, body.code]).toEqual([400, 'validation_failed']);
});

it('a declared listing that is taken off and rewritten does not come back as something else', async () => {
  const { body } = await list({ title: 'DICOM viewer', notPersonalHealth: true });
  const path = `/marketplace/listings/${body.listing?.id}`;
  expect((await send('PATCH', path, { active: false })).status).toBe(200);
  expect((await send('PATCH', path, { title: 'My medical records' })).status).toBe(400);
});

it('the declaration opens no way into the vertical of personal health', async () => {
  const { body } = await list({ vertical: 'personal-health', notPersonalHealth: true });
  expect(body.code).toBe('health_flow_required');
});
