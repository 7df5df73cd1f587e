import { parseLogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
import { formatLogProof } from '@agent-marketplace/protocol/log/log-proof.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { verifyEntry } from '@agent-marketplace/protocol/log/verify-entry.ts';
import { expect, it } from 'vitest';
import { createDatabase } from '../db/create-database.ts';
import { DAY_MS } from '../kernel/time.ts';
import { replied } from '../testing/doubles/fake-seller-endpoint.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '../testing/doubles/memory-log.ts';
import { createSalesMarketplace, sessionOf } from '../testing/marketplace/sales-marketplace.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { proveInclusion, sequenceStatements } from './index.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const HANGS_UP = 'https://buyer.example.com/hook';
let requests = 0;
// A live feed: whatever is asked twice is answered differently.
market.sellerEndpoint.script = ({ body, url }) => {
  if (url === HANGS_UP) return { kind: 'unreachable' };
  if (JSON.parse(body).type !== 'delivery_request') return replied({ ok: true });
  requests += 1;
  return replied({ data: { price: requests } });
};

interface Statement {
  readonly digest: string;
  readonly keyId: string;
  readonly signedAt: string;
  readonly statement: { readonly type: string; readonly logBy?: string; readonly salt?: string };
}
const redeliveryOf = (body: unknown) => (body as { redelivery: Statement }).redelivery;

const { ports, files } = await createMemoryLog(createDatabase(testBindings.DB));

/** Where the statement stands, by a proof that leads to the published checkpoint; null: nowhere. */
async function placeOf({ digest, keyId, signedAt, statement }: Statement): Promise<number | null> {
  await sequenceStatements(ports);
  const proof = await proveInclusion({ tree: ports.tree, files, origin: TEST_LOG_ORIGIN }, digest);
  if (proof === null) return null;
  const policy = await parseLogPolicy(`log ${formatNoteKey(ports.signers[0].key)}\nquorum none\n`);
  const entry = { type: statement.type, digest: digest as `sha256:${string}`, keyId, signedAt };
  const verdict = await verifyEntry(entry, formatLogProof(proof), policy);
  if (!verdict.valid) throw new Error(verdict.reason);
  return verdict.index;
}

it('a second answer that the listing allows is a statement in the log, behind the receipt that it adds to', async () => {
  const { id } = await sales.listing({ redelivery: 'fresh_once' });
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const { body: first } = await sales.buy(id, buyer);
  const receipt = await placeOf(first.receipt as unknown as Statement);
  const { body: fresh } = await sales.read(first.id, buyer);
  expect(fresh.content).not.toEqual(first.content);
  const redelivery = redeliveryOf(fresh);
  expect(redelivery.statement.type).toBe('purchase_redelivery');
  expect(await placeOf(redelivery)).toBeGreaterThan(receipt ?? Number.NaN);
});

it('an answer that was owed, and is another one by now, is a statement in the log', async () => {
  const { id } = await sales.listing({});
  const buyer = await sales.newAgent({ name: 'Agent', callbackUrl: HANGS_UP });
  const { body: opened } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
  cards.payCheckout(sessionOf(opened.checkoutUrl));
  await sales.read(opened.id, buyer, 'omit');
  await sales.pass(5 * 60_000);
  const { body } = await sales.read(opened.id, buyer);
  const { statement, ...rest } = redeliveryOf(body);
  expect(await placeOf({ statement, ...rest })).toBeGreaterThan(0);
  // As a receipt: it says by when it is there, and nobody finds by trying what its digest is of.
  expect(statement.logBy).toBe(new Date(Date.parse(rest.signedAt) + DAY_MS).toISOString());
  expect(statement.salt).toMatch(/^[0-9a-f]{32}$/);
});

it('reading again what is free promises nothing, as nothing of it is stored', async () => {
  const { id } = await sales.listing({ priceCents: 0 });
  const buyer = await sales.newAgent();
  const { body: first } = await sales.buy(id, buyer);
  const redelivery = redeliveryOf((await sales.read(first.id, buyer)).body);
  expect(redelivery.statement).not.toHaveProperty('logBy');
  expect(await placeOf(redelivery)).toBeNull();
});
