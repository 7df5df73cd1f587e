import { weighBuyers } from '@agent-marketplace/core/agents/index.ts';
import { sweepSearchOutbox } from '@agent-marketplace/core/listings/index.ts';
import {
  ATTESTED,
  HEALTH_CONSENT,
  HEALTH_LISTING,
  SIGNER,
} from '@agent-marketplace/core/testing/fixtures/health-data.ts';
import {
  checkSignature,
  digestOfSorted,
  type Receipt,
} from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, type Party, pathsOf, type Reply, SHA256 } from './service.ts';

const sales = createSalesMarketplace();
const service = createService(sales.market);
let seller: Party;
let buyer: Party;
beforeAll(async () => {
  const connected = await sales.seller();
  seller = { id: connected.id, apiKey: connected.apiKey, handle: connected.connect.handle };
  const funded = await sales.newAgent();
  await sales.fund(funded, 50_000);
  buyer = { id: funded.id, apiKey: funded.apiKey, handle: funded.connect.handle };
});

const list = (fields: Body = {}, party = seller) =>
  service.post('/health-data/listings', { ...HEALTH_LISTING, ...fields }, { key: party.apiKey });
const consent = (fields: Body) => ({ consent: { ...HEALTH_CONSENT, ...fields } });
const listingOf = ({ body }: Reply) => body.listing as Body & { id: string };
const made = async (fields: Body = {}) => listingOf(await list(fields));
const buy = (id: string, body: Body = ATTESTED, party: Party | null = buyer) =>
  service.post(`/marketplace/listings/${id}/purchase`, body, party ? { key: party.apiKey } : {});
const statementOf = ({ body }: Reply) => (body.consent as { record: { statement: Body } }).record.statement;
const search = async (query = '') =>
  (await service.get(`/health-data/listings${query}`)).body as { listings: Body[]; total: number } & Body;

describe('list_health_data', () => {
  it('needs a key', async () => {
    expect((await service.post('/health-data/listings', HEALTH_LISTING)).status).toBe(401);
  });

  it('title, description, preview, price, subcategory, data_format and consent are required', async () => {
    const reply = await service.post('/health-data/listings', {}, { key: seller.apiKey });
    expect([reply.status, pathsOf(reply).sort()]).toEqual([
      400,
      ['consent', 'dataFormat', 'description', 'preview', 'priceCents', 'subcategory', 'title'],
    ]);
  });

  clause(
    'listing.subcategory',
    'listing.data-date',
    'listing.data-format',
    'listing.seller-state',
    'listing.demographics',
    'listing.context-tags',
    'listing.deidentification-level',
    'listing.authorized-uses',
    'listing.data-origin',
    'listing.health-consent-verified',
  );
  it('the listing carries what health data adds to a listing', async () => {
    const listing = await made({
      dataDate: '2026-02-28',
      demographics: { ageBand: '40-49' },
      contextTags: ['resting'],
    });
    const carried = {
      verticalSlug: 'personal-health',
      verticalCategory: 'data',
      status: 'active',
      listingType: 'standard',
      subcategory: 'wearable-exports',
      dataDate: '2026-02-28',
      dataFormat: 'CSV',
      sellerState: 'OR',
      demographics: { ageBand: '40-49' },
      contextTags: ['resting'],
      deidentificationLevel: 'name_removed',
      authorizedUses: ['research'],
      dataOrigin: 'The seller’s own data',
      healthConsentVerified: true,
      fingerprint: expect.stringMatching(SHA256),
    };
    expect(listing).toMatchObject(carried);
    const detail = await service.get(`/marketplace/listings/${listing.id}`);
    const { listings } = await search('?limit=100');
    for (const shown of [detail.body.listing, listings.find(({ id }) => id === listing.id)]) {
      expect(shown).toMatchObject(carried);
    }
    const { body } = await service.get(`/marketplace/listings/${listing.id}/history`);
    expect(body.chainValid).toBe(true);
  });

  it('without a verified delivery endpoint it is pending, with a claimUrl', async () => {
    const reply = await list({}, await service.register());
    expect([reply.status, listingOf(reply).status]).toEqual([201, 'pending']);
    expect(reply.body.claimUrl).toEqual(expect.any(String));
  });

  clause('tool.list-health-data-values', 'health.subcategories', 'health.formats', 'limits.health-price');
  it.each([
    [
      'subcategory',
      ['hair', '', null],
      [
        ...['body-composition', 'blood-work', 'imaging', 'genetic-data', 'wearable-exports'],
        ...['dental-records', 'vision-records', 'vaccination-records', 'other-health-data'],
      ],
    ],
    ['dataFormat', ['csv', 'XML'], ['PDF', 'CSV', 'DICOM', 'JSON', 'Image', 'ZIP', 'Other']],
    ['priceCents', [0, 499, 500.5], [500]],
    ['dataDate', ['2026-02-30', '2026-2-3', '03/02/2026', '2999-01-01'], ['2024-02-29']],
    ['demographics', ['x', [], { a: 'x'.repeat(4096) }], [{}]],
    ['contextTags', ['x', [''], [1], Array(21).fill('a')], [[], ['a']]],
  ])('%s: values and limits', async (field, wrong, right) => {
    for (const value of wrong) {
      const reply = await list({ [field]: value });
      expect([reply.status, pathsOf(reply)[0]?.split('.')[0]]).toEqual([400, field]);
    }
    for (const value of right) {
      const { id } = await made({ [field]: value });
      const { listing } = (await service.get(`/marketplace/listings/${id}`)).body;
      expect((listing as Body)[field]).toEqual(value);
    }
  });
});

describe('health consent object', () => {
  clause('health.consent-required', 'health.individuals');
  it.each(['ownsData', 'dataIsOwn', 'containsOnlyOwn', 'notCoveredEntity', 'saleTermsAccepted'])(
    '%s must be true',
    async (box) => {
      for (const value of [false, undefined, 'true']) {
        const reply = await list(consent({ [box]: value }));
        expect([reply.status, pathsOf(reply)]).toEqual([400, [`consent.${box}`]]);
      }
    },
  );

  clause('health.consent-uses');
  it('at least one of allowsResearch, allowsCommercial, allowsAiTraining must be true', async () => {
    const none = { allowsResearch: false, allowsCommercial: false, allowsAiTraining: false };
    expect(pathsOf(await list(consent(none)))).toEqual(['consent']);
    for (const [box, use] of [
      ['allowsResearch', 'research'],
      ['allowsCommercial', 'commercial'],
      ['allowsAiTraining', 'ai_training'],
    ] as const) {
      expect((await made(consent({ ...none, [box]: true }))).authorizedUses).toEqual([use]);
    }
  });

  clause('health.consent-wa', 'health.consent-il', 'health.consent-ca');
  it.each([
    ['WA', 'blood-work', 'waMhmdaAuthorization'],
    ['IL', 'genetic-data', 'ilGipaAuthorization'],
    ['CA', 'imaging', 'caCcpaAcknowledgment'],
  ])('%s, %s: %s must be true', async (sellerState, subcategory, addOn) => {
    const reply = await list({ subcategory, ...consent({ sellerState }) });
    expect([reply.status, pathsOf(reply)]).toEqual([400, [`consent.${addOn}`]]);
    expect((await list({ subcategory, ...consent({ sellerState, [addOn]: false }) })).status).toBe(400);
    const listed = await list({ subcategory, ...consent({ sellerState, [addOn]: true }) });
    expect(listed.status).toBe(201);
    const { authorizations } = statementOf(listed);
    expect(Object.entries(authorizations as Body).filter(([, given]) => given)).toEqual([[addOn, true]]);
  });

  clause('health.consent-il');
  it('IL asks for no add-on but for genetic data', async () => {
    expect((await list({ subcategory: 'imaging', ...consent({ sellerState: 'IL' }) })).status).toBe(201);
  });

  clause('health.consent-deidentification', 'health.consent-signer', 'health.consent-state');
  it.each([
    ['deidentificationLevel', ['none', undefined], ['full_identified', 'name_removed']],
    ['signerLegalName', ['', undefined, 7], ['Mary Ann Poe']],
    ['sellerState', ['Oregon', 'or', 'PR', undefined], ['NY', 'DC']],
  ])('%s: values', async (field, wrong, right) => {
    for (const value of wrong) {
      expect(pathsOf(await list(consent({ [field]: value })))).toEqual([`consent.${field}`]);
    }
    for (const value of right) {
      const listed = await list(consent({ [field]: value }));
      expect(listed.status).toBe(201);
      const { record, signerSalt } = listed.body.consent as {
        record: { statement: Body };
        signerSalt: string;
      };
      // The name is signed as a digest, which only its salt opens.
      if (field !== 'signerLegalName') expect(record.statement[field]).toBe(value);
      else
        expect(record.statement.signerNameDigest).toBe(`sha256:${await sha256Hex(`${signerSalt}.${value}`)}`);
    }
  });

  clause('service.health-consent', 'health.consent-notarized', 'health.consent-retained');
  it('the record is notarized: SHA-256 and Ed25519, verifiable, and kept for 6 years', async () => {
    const reply = await list();
    const { record } = reply.body.consent as { record: Receipt & { statement: Body } };
    const { statement, ...receipt } = record;
    expect(await digestOfSorted(statement)).toBe(receipt.digest);
    await checkSignature(receipt);
    const { id, fingerprint } = listingOf(reply);
    expect(statement).toMatchObject({ type: 'health_consent', listingId: id, fingerprint });
    const verified = await service.post('/verify-receipt', { receipt, payload: statement });
    expect(verified.body.valid).toBe(true);

    const { signedAt, retainUntil } = statement as { signedAt: string; retainUntil: string };
    expect(retainUntil).toBe(`${Number(signedAt.slice(0, 4)) + 6}${signedAt.slice(4)}`);
    const { body } = await service.get(`/health-data/listings/${id}/consent`);
    expect(body.record).toEqual(record);
    expect(JSON.stringify(body)).not.toContain(SIGNER);

    const { body: served } = await service.get('/health-data/terms');
    expect(await digestOfSorted(served.terms)).toBe(statement.termsDigest);
  });
});

describe('personal health data', () => {
  clause('service.health-flow');
  it('is sold only through the dedicated flow', async () => {
    const fields = { description: 'Mine.', preview: {}, priceCents: 900, consent: true };
    for (const ordinary of [
      { ...fields, title: 'A file of mine', vertical: 'personal-health' },
      { ...fields, title: 'My blood test and blood work results' },
    ]) {
      const reply = await service.post('/marketplace/listings', ordinary, { key: seller.apiKey });
      expect([reply.status, reply.body.code]).toEqual([400, 'health_flow_required']);
    }
    const { id } = await service.list(seller);
    const reply = await service.patch(
      `/marketplace/listings/${id}`,
      { vertical: 'personal-health' },
      {
        key: seller.apiKey,
      },
    );
    expect(reply.status).toBe(400);
    for (const fields of [
      { title: 'My blood test and blood work results' },
      { description: 'My blood test and blood work results.' },
      { preview: { about: 'my blood test and blood work results' } },
    ]) {
      const changed = await service.patch(`/marketplace/listings/${id}`, fields, { key: seller.apiKey });
      expect([changed.status, changed.body.code]).toEqual([400, 'health_flow_required']);
    }
    const { listing } = (await service.get(`/marketplace/listings/${id}`)).body;
    expect(listing).toMatchObject({ version: 1 });
  });

  clause('limits.health-price');
  it('never costs less than 500 cents, also after a change', async () => {
    const { id, fingerprint } = await made();
    const change = (fields: Body) =>
      service.patch(`/marketplace/listings/${id}`, fields, { key: seller.apiKey });
    const cheap = await change({ priceCents: 499 });
    expect([cheap.status, pathsOf(cheap)]).toEqual([400, ['priceCents']]);
    const { status, body } = await change({ priceCents: 500, title: 'Renamed pulse data' });
    expect([status, body.version, body.healthConsentVerified]).toEqual([200, 2, true]);
    // The consent stays the one that was signed; the history links the fingerprints.
    const kept = (await service.get(`/health-data/listings/${id}/consent`)).body;
    expect((kept.record as { statement: Body }).statement.fingerprint).toBe(fingerprint);
    expect(kept.fingerprint).toBe(body.fingerprint);
  });

  clause('health.restrictions');
  it('no exclusive buyouts or offers, and not in bulk', async () => {
    const { id } = await made();
    for (const listingType of ['exclusive', 'limited']) {
      expect(pathsOf(await list({ listingType }))).toEqual(['listingType']);
    }
    const offer = await service.post(
      `/marketplace/listings/${id}/offers`,
      { amountCents: 900 },
      { key: buyer.apiKey },
    );
    expect([offer.status, offer.body.code]).toEqual([409, 'offers_exclusive_only']);
    const bulk = await service.post(
      '/marketplace/purchases/bulk',
      { listing_ids: [id] },
      { key: buyer.apiKey },
    );
    expect(bulk.body.items).toEqual([
      { code: 'not_in_bulk', collectUntil: null, listingId: id, purchaseId: null, status: null },
    ]);
  });
});

describe('purchase of a personal-health listing', () => {
  clause('service.health-attestation', 'purchasing.health-422', 'errors.422-health');
  it('422 without the attestation or the intended use', async () => {
    const { id } = await made();
    const { buyer_intended_use, buyer_attestation } = ATTESTED;
    for (const [body, paths] of [
      [{}, 6],
      [{ buyer_intended_use }, 5],
      [{ buyer_attestation }, 1],
      [{ buyer_intended_use, buyer_attestation: {} }, 5],
    ] as const) {
      for (const party of [buyer, null]) {
        const reply = await buy(id, body, party);
        expect([reply.status, reply.body.code]).toEqual([422, 'attestation_required']);
        expect(pathsOf(reply)).toHaveLength(paths);
      }
    }
  });

  clause('purchasing.attestation');
  it.each(Object.keys(ATTESTED.buyer_attestation))('%s must be true', async (box) => {
    const { id } = await made();
    for (const value of [false, undefined, 'true', 1]) {
      const attestation = { ...ATTESTED.buyer_attestation, [box]: value };
      const reply = await buy(id, { ...ATTESTED, buyer_attestation: attestation });
      const status = value ? 400 : 422;
      expect([reply.status, pathsOf(reply)]).toEqual([status, [`buyer_attestation.${box}`]]);
    }
  });

  clause('purchasing.intended-use');
  it('buyer_intended_use: values, each for what the seller authorized', async () => {
    const all = { allowsResearch: true, allowsCommercial: true, allowsAiTraining: true };
    const [open, research] = [
      await made({ priceCents: 500, ...consent(all) }),
      await made({ priceCents: 500 }),
    ];
    for (const [use, isResearch] of [
      ['academic_research', true],
      ['commercial_research', false],
      ['ai_training', false],
      ['personal_educational', true],
      ['other', false],
    ] as const) {
      const body = { ...ATTESTED, buyer_intended_use: use };
      const bought = await buy(open.id, body);
      expect([use, bought.status]).toEqual([use, 200]);
      const { statement } = bought.body.healthAttestation as { statement: Body };
      expect(statement.intendedUse).toBe(use);
      const narrow = await buy(research.id, body);
      expect([use, narrow.status]).toEqual([use, isResearch ? 200 : 422]);
      if (!isResearch) expect(narrow.body.code).toBe('intended_use_not_authorized');
    }
    expect((await buy(open.id, { ...ATTESTED, buyer_intended_use: 'resale' })).status).toBe(400);
  });

  it('with both it is delivered, and what was attested is signed', async () => {
    const { id } = await made();
    const { status, body } = await buy(id);
    expect([status, body.status, body.content]).toEqual([200, 'held', { answer: 42 }]);
    const { statement, ...receipt } = body.healthAttestation as Receipt & { statement: Body };
    const verified = await service.post('/verify-receipt', { receipt, payload: statement });
    expect(verified.body.valid).toBe(true);
    expect(statement).toMatchObject({ purchaseId: body.id, intendedUse: 'academic_research' });
  });

  it('an attestation without a key is nobody’s: 401', async () => {
    const { id } = await made();
    const reply = await buy(id, ATTESTED, null);
    expect([reply.status, reply.body.code]).toEqual([401, 'missing_api_key']);
  });
});

describe('search_health_data', () => {
  clause('tool.search-health-data');
  it('needs no key; q, subcategory, sort, limit and offset', async () => {
    const fields = { subcategory: 'vision-records', title: 'Quillwort lens prescriptions' };
    const dear = await made({ ...fields, priceCents: 900 });
    sales.market.clock.advance(1000);
    const cheap = await made({ ...fields, priceCents: 600 });
    const ids = async (query: string) => (await search(query)).listings.map(({ id }) => id);
    expect(await ids('?q=quillwort')).toEqual([cheap.id, dear.id]);
    expect(await ids('?q=quillwort&sort=price_desc')).toEqual([dear.id, cheap.id]);
    expect(await ids('?q=quillwort&sort=price_asc&limit=1')).toEqual([cheap.id]);
    expect(await ids('?q=quillwort&sort=price_asc&limit=1&offset=1')).toEqual([dear.id]);
    expect(await ids('?q=quillwort&subcategory=imaging')).toEqual([]);
    expect(await ids('?q=quillwort&subcategory=vision-records')).toEqual([cheap.id, dear.id]);
    expect((await buy(dear.id)).status).toBe(200);
    await sales.market.background.settled();
    await weighBuyers(sales.market.newPorts());
    await sweepSearchOutbox(sales.market.newPorts());
    sales.market.clock.advance(60_000);
    expect(await ids('?q=quillwort&sort=popular')).toEqual([dear.id, cheap.id]);
    expect(await ids('?q=quillwort&sort=recent')).toEqual([cheap.id, dear.id]);
    expect(await search('?q=quillwort&limit=1')).toMatchObject({ total: 2, limit: 1, offset: 0 });
    const unsorted = await search('?q=quillwort&sort=quality');
    expect(unsorted).toMatchObject({ total: 2, notice: expect.stringContaining('`sort`') });
    const unmatched = await search('?q=quillwort&subcategory=hair');
    expect(unmatched).toMatchObject({
      total: 0,
      listings: [],
      notice: expect.stringContaining('`subcategory`'),
    });
    for (const wrong of ['limit=0', 'offset=-1']) {
      expect((await service.get(`/health-data/listings?${wrong}`)).status).toBe(400);
    }
  });

  it('shows health data only, and ordinary browsing shows it too', async () => {
    await service.list(seller, { title: 'Saffron pulse of the market' });
    const mine = await made({ title: 'Saffron pulse of mine' });
    const { listings, total } = await search('?q=saffron');
    expect([total, listings.map(({ id }) => id)]).toEqual([1, [mine.id]]);
    const { listings: browsed } = await service.browse('?q=saffron');
    expect(browsed).toHaveLength(2);
    expect(browsed.find(({ id }) => id === mine.id)).toMatchObject({ healthConsentVerified: true });
  });
});
