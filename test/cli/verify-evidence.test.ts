import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refundSale } from '@agent-marketplace/core/sales/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCliHome } from '../../packages/cli/src/testing/run-cli.ts';
import { createLedgerVerifier } from '../fault/verify-ledger.ts';

// Whoever keeps what was read chooses what is kept: genuine parts alone must convict nobody who signed nothing false.

const sales = createSalesMarketplace();
const { market } = sales;
market.sellerEndpoint.script = sellerOf({ tide: 1 });
const verifier = await createLedgerVerifier(market);
const home = await createCliHome();
afterAll(() => home.remove());

const at = (name: string) => join(home.folder, name);
const page = async (query = '') => (await market.request('GET', `/proof/demand?limit=2${query}`)).text();
const nextOf = (text: string) => encodeURIComponent(JSON.parse(text).nextCursor);

async function kept() {
  const [first, last] = await pages();
  return {
    rows: [first, last],
    removed: [first],
    affiliated: [first],
    checkpoint: verifier.files.checkpoint,
    entries: (await verifier.entries()).map((entry) => new TextDecoder().decode(entry)),
    waitedBefore: [],
    notOlderThan: '2020-01-01T00:00:00.000Z',
  };
}
async function pages() {
  const first = await page();
  return [first, await page(`&cursor=${nextOf(first)}`)] as const;
}

async function judge(evidence: object) {
  await writeFile(at('ledger.json'), JSON.stringify(evidence));
  const args = [
    'verify',
    'evidence',
    at('ledger.json'),
    '--policy',
    at('policy.txt'),
    '--keys',
    at('keys.json'),
  ];
  const { exitCode, json } = await home.run([...args, '--json']);
  return [exitCode, json.files?.[0].detail ?? json.error.files?.[0].detail ?? json.error.message];
}

const PAGES = expect.stringContaining('not all pages are here');
const WORD = expect.stringContaining('word of whoever kept it');

let before: string;
let waiting: string;
let honest: Awaited<ReturnType<typeof kept>>;
beforeAll(async () => {
  const { id } = await sales.listing();
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 40_000);
  await writeFile(at('policy.txt'), `log ${formatNoteKey(verifier.ports.signers[0].key)}\nquorum none\n`);
  await writeFile(at('keys.json'), await (await market.request('GET', '/signing-key')).text());
  for (let n = 0; n < 3; n += 1) await sales.buy(id, buyer);
  await verifier.log();
  before = verifier.files.checkpoint ?? '';
  await sales.buy(id, buyer);
  market.clock.advance(6000);
  waiting = await page();
  await verifier.log();
  honest = await kept();
}, 60_000);

describe('of an honest ledger, it is not proven', () => {
  it('what holds', async () => {
    expect(await judge(honest)).toEqual([14, 'What was kept holds.']);
    expect(await judge({ ...honest, checkpointBefore: null })).toEqual([14, 'What was kept holds.']);
  });

  it.each([
    ['no page of rows', () => ({ rows: [] })],
    ['the first page alone', () => ({ rows: honest.rows.slice(0, 1) })],
    ['the last page alone', () => ({ rows: honest.rows.slice(1) })],
    ['a page twice', () => ({ rows: [honest.rows[0], ...honest.rows] })],
  ])('that something is missing from %s', async (_, change) => {
    expect(await judge({ ...honest, ...change() })).toEqual([14, PAGES]);
  });

  it('that a page is old, by a time that its keeper names', async () => {
    expect(await judge({ ...honest, notOlderThan: '2099-01-01T00:00:00.000Z' })).toEqual([14, WORD]);
  });

  it('that a row waits for too long, by what its keeper says that it saw before', async () => {
    const { id } = JSON.parse(waiting).ledger[0];
    const changed = { ...honest, rows: [waiting, honest.rows[1]], waitedBefore: [id] };
    expect(await judge(changed)).toEqual([14, WORD]);
  });

  it('that a log shrank, or lacks what came since, by an older checkpoint', async () => {
    const size = Number(before.split('\n')[1]);
    const older = { checkpoint: before, entries: honest.entries.slice(0, size) };
    expect(await judge({ ...honest, ...older })).toEqual([14, WORD]);
  });

  it('that something is missing that was logged after the pages, by a checkpoint said to be of before', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 40_000);
    await sales.buy(id, buyer);
    await verifier.log();
    const { checkpoint, entries } = await kept();
    expect(await judge({ ...honest, checkpoint, entries, checkpointBefore: checkpoint })).toEqual([14, WORD]);
  });

  it('that a row is missing that left while another like it came, by pages of before and after', async () => {
    const { id } = await sales.listing();
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 40_000);
    const old = [];
    for (let n = 0; n < 3; n += 1) {
      market.clock.advance(1000);
      old.push((await sales.buy(id, buyer)).body.id);
    }
    await verifier.log();
    const first = await page();
    await sales.buy(id, buyer);
    expect(await refundSale(market.newPorts(), old[0] ?? '', 'test')).toBe('refunded');
    const rows = [first];
    for (let last = first; JSON.parse(last).nextCursor !== null; rows.push(last))
      last = await page(`&cursor=${nextOf(last)}`);
    await verifier.log();
    const { checkpoint, entries } = await kept();
    const evidence = { ...honest, rows, removed: [first], affiliated: [first], checkpoint, entries };
    expect(await judge(evidence)).toEqual([14, PAGES]);
  });

  it('that a row was altered, by keys of which one is missing', async () => {
    const other = await createSigningParty();
    const { provenance, ...body } = JSON.parse(await page('0'));
    const receipt = await other.signer.signDigest(await canonicalDigest(body), provenance.receipt.signedAt);
    const again = JSON.stringify({ ...body, provenance: { ...provenance, receipt } });
    const evidence = { ...honest, rows: [again], removed: [again], affiliated: [again] };
    const keys = await readFile(at('keys.json'), 'utf8');
    await writeFile(at('keys.json'), JSON.stringify(signingKeyDocument(other)));
    const judged = await judge(evidence);
    await writeFile(at('keys.json'), keys);
    expect(judged).toEqual([14, WORD]);
  });

  it('anything by what is no evidence', async () => {
    for (const wrong of [{ rows: [1] }, { removed: null }, { entries: [7] }, { checkpoint: 1 }]) {
      const [, message] = await judge({ ...honest, ...wrong });
      expect(message).toContain('is nothing that monitor');
    }
  });
});

it('it is proven, by all pages, that a row was dropped', async () => {
  const [row] = JSON.parse(await page()).ledger;
  await testBindings.DB.prepare('DELETE FROM demand_rows WHERE purchase_id = ?').bind(row.id).run();
  await testBindings.DB.prepare('DELETE FROM settlements WHERE purchase_id = ?').bind(row.id).run();
  market.clock.advance(6000);
  const evidence = await kept();
  expect(await judge(evidence)).toEqual([0, expect.stringContaining(`missing ${row.settlement.digest}`)]);
  expect(await judge({ ...evidence, rows: evidence.rows.slice(1) })).toEqual([0, PAGES]);
});
