import { parseLogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
import { formatLogProof } from '@agent-marketplace/protocol/log/log-proof.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { verifyEntry } from '@agent-marketplace/protocol/log/verify-entry.ts';
import { afterEach, expect, it } from 'vitest';
import { cardWebhook } from '../compose/card-webhook.ts';
import { createDatabase } from '../db/create-database.ts';
import { HOUR_MS, MINUTE_MS } from '../kernel/time.ts';
import { attestRatings } from '../ratings/index.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { createMemoryLog, TEST_LOG_ORIGIN } from '../testing/doubles/memory-log.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { proveInclusion, sequenceStatements } from './index.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
market.sellerEndpoint.script = sellerOf({ answer: 42 });
const { ports, files } = await createMemoryLog(createDatabase(testBindings.DB));
const policy = await parseLogPolicy(`log ${formatNoteKey(ports.signers[0].key)}\nquorum none\n`);
const AS_OPERATOR = { 'x-mkt-admin': TEST_ADMIN_SECRET };

afterEach(() => sales.audit());

interface Attestation {
  readonly digest: `sha256:${string}`;
  readonly keyId: string;
  readonly signedAt: string;
  readonly statement: { readonly type: string; readonly statusAt?: string };
}
interface Rating {
  readonly id: string;
  readonly refunded: boolean;
  readonly removed: boolean;
  readonly attestation: Attestation;
}

/** Where a statement stands, by a proof that leads to the published checkpoint. */
async function placeOf({ digest, keyId, signedAt, statement: { type } }: Attestation): Promise<number> {
  const proof = await proveInclusion({ tree: ports.tree, files, origin: TEST_LOG_ORIGIN }, digest);
  if (proof === null) throw new Error('There is no proof.');
  const verdict = await verifyEntry({ type, digest, keyId, signedAt }, formatLogProof(proof), policy);
  if (!verdict.valid) throw new Error(verdict.reason);
  return verdict.index;
}

/** As the page shows it once the jobs of a minute ran, and the log took what was signed. */
async function shown(listingId: string): Promise<Rating> {
  market.clock.advance(MINUTE_MS);
  await attestRatings(market.newPorts());
  await sequenceStatements(ports);
  const { body } = await sales.request('GET', `/marketplace/listings/${listingId}/ratings`, null);
  const { ratings } = body as unknown as { ratings: Rating[] };
  if (ratings.length !== 1) throw new Error(`There are ${ratings.length} ratings.`);
  return ratings[0] as Rating;
}

async function ratedByCard() {
  const { id } = await sales.listing({ priceCents: 4000 });
  const buyer = await sales.newAgent();
  await sales.saveCard(buyer, 'available_at_once');
  const { body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
  const rating = { purchaseId: body.id, rating: 2 };
  await sales.request('POST', `/marketplace/listings/${id}/rate`, buyer.apiKey, rating);
  const paymentId = cards.payments.find(({ reference }) => reference?.id === body.id)?.paymentId ?? '';
  return { id, buyer, paymentId };
}

async function hear(): Promise<void> {
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
}

async function expectEachInLog(...states: readonly Rating[]): Promise<void> {
  const places = await Promise.all(states.map(({ attestation }) => placeOf(attestation)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(states.length);
}

it('each state of a rating whose purchase a bank took back and gave back stands in the log, and it counts again', async () => {
  const { id, paymentId } = await ratedByCard();
  const before = await shown(id);
  const disputeId = cards.disputePayment(paymentId);
  await hear();
  cards.closeDispute(disputeId, 'lost');
  await hear();
  const taken = await shown(id);
  expect(taken.refunded).toBe(true);
  cards.dashboard.appealDispute(disputeId);
  cards.closeDispute(disputeId, 'won');
  await hear();
  await sales.pass(HOUR_MS);
  const after = await shown(id);
  expect([after.refunded, after.attestation.statement]).toEqual([
    false,
    { ...before.attestation.statement, statusAt: after.attestation.signedAt },
  ]);
  await expectEachInLog(before, taken, after);
});

it('each state of a rating that an operator removed, and that was put back on appeal, stands in the log', async () => {
  const { id, buyer } = await ratedByCard();
  const before = await shown(id);
  const report = { subjectType: 'rating', subjectId: before.id, reason: 'manipulation' };
  await sales.request('POST', '/reports', null, report);
  const cases = await sales.rows<{ id: string }>(
    'SELECT id FROM moderation_cases WHERE rating_id = ?',
    before.id,
  );
  const decisionId = cases[0]?.id ?? '';
  const ask = (path: string, body: object) => sales.request('POST', path, null, body, AS_OPERATOR);
  await ask(`/admin/reports/${decisionId}/decision`, {
    action: 'block',
    rule: 'manipulation',
    reason: 'Lies.',
  });
  const removed = await shown(id);
  expect(removed.removed).toBe(true);
  await sales.request('POST', '/appeals', buyer.apiKey, { decisionId, text: 'True.' });
  await ask(`/admin/reports/${decisionId}/appeal`, { outcome: 'overturned', reason: 'True.' });
  const after = await shown(id);
  expect(after.removed).toBe(false);
  await expectEachInLog(before, removed, after);
});
