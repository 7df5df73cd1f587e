import { bookProcessorEntries, carryForward } from '@agent-marketplace/core/ledger/index.ts';
import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import type { SalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { memoryBank } from '@agent-marketplace/core/testing/rails/memory/memory-bank.ts';
import { expect } from 'vitest';
import type { Oracle } from './oracle/oracle.ts';
import type { PlatformBank } from './oracle/platform-bank.ts';

// What must hold whatever broke, once recovery had its time.

/** A marketplace as it is looked into. */
interface LookedInto extends Pick<SalesMarketplace, 'market' | 'cards' | 'rows' | 'audit' | 'read'> {
  /** The purchases whose content somebody was shown. */
  readonly shown: ReadonlySet<string>;
  readonly oracle: Oracle | null;
  readonly bank: PlatformBank;
  agentOf(id: string): RegisteredAgent | undefined;
}

interface PurchaseRow {
  readonly id: string;
  readonly buyer_id: string | null;
  readonly status: string;
  readonly rail: string;
  readonly amount_cents: number;
  readonly platform_fee_cents: number;
  readonly content_digest: string | null;
  readonly captured_cents: number;
  readonly refunded_cents: number;
  readonly transferred_cents: number;
  readonly withheld_cents: number;
  readonly fee_cents: number;
  readonly taken_net_cents: number;
  readonly taken_fee_cents: number;
  readonly restorations: number;
  readonly set_aside_at: string | null;
  /** 1: it is priced by units, and fewer were used than were reserved. */
  readonly is_rest_released: number;
  /** How many of its transfers were taken back as a whole. */
  readonly returns: number;
  readonly postings: string | null;
}

const CAPTURED = /^(held|releasing|released)$/;
const OVER = /^(held|released|refunded|expired|failed)$/;

/** What a call is for, and which one it is after refusals: nothing that differs from one try to the next. */
const CALL_KEY = /^[a-z_]+:[0-9a-f-]{36}(:[a-z]+(:([0-9]+|[A-Z]{2}|[0-9a-f-]{36}))?)?$/;

/** The rows that were looked at before are as they were: only what is newer is looked at. */
const lookedAt = new WeakMap<
  object,
  { purchases: number; events: number; payments: number; transfers: number }
>();

export async function expectAgreement(world: LookedInto): Promise<void> {
  const { market, cards } = world;
  const since = lookedAt.get(market) ?? { purchases: 0, events: 0, payments: 0, transfers: 0 };
  const payments = cards.payments;
  const transfers = cards.transfers;

  const keys = cards.calls.flatMap(({ key }) => key ?? []);
  expect(
    // Those of tests' own calls name nothing.
    keys.filter((key) => key.includes(':') && !CALL_KEY.test(key)),
    'keys under which what was done would be done again',
  ).toEqual([]);
  const differences = (await world.oracle?.differences()) ?? [];
  expect(differences, 'who is owed what, by what was seen outside').toEqual([]);
  await world.audit();
  await expectReconciled(world);
  expect(
    await world.rows(`SELECT account, balance_cents FROM ledger_accounts
      WHERE account GLOB 'wallet:*' AND NOT balance_cents BETWEEN 0 AND 50000`),
    'wallets below nothing or above their cap',
  ).toEqual([]);

  const purchases = await world.rows<PurchaseRow>(
    `SELECT purchases.*, captured_cents, refunded_cents, transferred_cents, fee_cents, taken_net_cents, taken_fee_cents, withheld_cents, restorations, set_aside_at,
      meter IS NOT NULL AND amount_cents * 10000 < json_extract(meter, '$.unitPriceMicros') * json_extract(meter, '$.maxUnits') AS is_rest_released,
      COALESCE((SELECT returns FROM transfers WHERE purchase_id = purchases.id), 0) AS returns,
      (SELECT group_concat(kind, ' ' ORDER BY rowid) FROM ledger_postings WHERE substr(reference, 1, 36) = purchases.id AND kind <> 'chargeback') AS postings
      FROM purchases JOIN payments ON purchase_id = purchases.id WHERE purchases.rowid > ?`,
    since.purchases,
  );
  expect(
    await world.rows(`SELECT purchases.id FROM purchases JOIN spend_policies ON agent_id = buyer_id AND parent_id IS NOT NULL
      LEFT JOIN spends ON spends.id = purchases.id WHERE purchases.amount_cents > 0 AND cents IS NOT purchases.amount_cents
      -- What an offer is sold by begins before it is accepted, and fails where it is not.
      AND NOT (cents IS NULL AND purchases.status IN ('failed', 'expired'))`),
    'purchases that are in no budget of the key that bought them',
  ).toEqual([]);
  for (const purchase of purchases) {
    expectRowAgrees(purchase);
    expectProcessorAgrees(
      purchase,
      payments.slice(since.payments).filter(({ reference }) => reference?.id === purchase.id),
      transfers.filter(({ purchaseId }) => purchaseId === purchase.id),
      cards.disputes.filter(({ reference }) => reference?.id === purchase.id),
      world.bank.seen(purchase.id),
    );
    await expectShownIfPaid(world, purchase);
  }
  await expectTopUpsAgree(world, payments.slice(since.payments));
  await expectReputationsAgree(world);
  await expectMeasuresAgree(world);
  await expectToldOnce(world, since.events);

  const [last] = await world.rows<{ purchases: number; events: number }>(
    `SELECT (SELECT MAX(rowid) FROM purchases) AS purchases,
      (SELECT MAX(rowid) FROM agent_events) AS events`,
  );
  lookedAt.set(market, {
    purchases: last?.purchases ?? 0,
    events: last?.events ?? 0,
    payments: payments.length,
    transfers: transfers.length,
  });
  market.log.lines.length = 0;
}

/** All legs sum to nothing, wallets to the wallet liability, accounts to what rows say, and the processor has it. */
async function expectReconciled({ market, cards, rows }: LookedInto): Promise<void> {
  const ports = market.newPorts();
  while (!(await bookProcessorEntries(ports)));
  const figures = { ...(await cards.getBalance()), keptCents: 0 };
  const outside = { processor: figures, chain: null };
  const report = await reconcile(ports.market, outside, market.clock.now());
  expect(report.findings, 'reconciliation').toEqual([]);
  await carryForward(ports);
  const carried = await reconcile(ports.market, outside, market.clock.now());
  expect(carried, 'once what is over is carried').toEqual(report);
  const sums = await rows<{ account: string; amount: number }>(
    `SELECT substr(account, 1, instr(account || ':', ':') - 1) AS account, SUM(amount_cents) AS amount
      FROM ledger_entries GROUP BY 1 HAVING amount <> 0 ORDER BY 1`,
  );
  const balances = carried.balances.flatMap(({ account, amount }) =>
    amount === 0 ? [] : { account, amount },
  );
  expect(balances, 'the whole ledger').toEqual(sums);
}

/**
 * A seller's record has each paid delivery once, and the first of what is free to each agent, but for orders that were never shipped. Of those that a bank took back
 * the rows do not say whether their time for shipment was over before.
 */
async function expectReputationsAgree({ rows }: LookedInto): Promise<void> {
  const differing = await rows(
    `SELECT agent_id, delivered_count, shipped, unshipped FROM (SELECT sellers.agent_id, delivered_count,
        SUM(content_digest IS NOT NULL AND failure IS NOT 'not_shipped' AND amount_cents > 0)
          + COUNT(DISTINCT CASE WHEN content_digest IS NOT NULL AND amount_cents = 0 THEN buyer_id END) AS shipped,
        SUM(content_digest IS NOT NULL AND failure = 'chargeback' AND fulfilment = 'physical' AND shipped_at IS NULL)
          AS unshipped
      FROM sellers JOIN purchases ON seller_id = sellers.agent_id LEFT JOIN payments ON payments.purchase_id = purchases.id
        LEFT JOIN shipments ON shipments.purchase_id = purchases.id
      GROUP BY sellers.agent_id)
      WHERE delivered_count NOT BETWEEN shipped - COALESCE(unshipped, 0) AND shipped`,
  );
  expect(differing, 'sellers whose record is not that of their deliveries').toEqual([]);
}

/**
 * What is measured of a listing is what the rows of its sales say: a delivery for each answer that was recorded, with
 * its latency, and a failure for each that its seller is blamed for; failures of what is free are in no row. Buyers who reached their limit of the day are left out.
 */
async function expectMeasuresAgree({ rows }: LookedInto): Promise<void> {
  const differing = await rows(
    `SELECT listings.id, counted.*, recorded.* FROM listings
      LEFT JOIN (SELECT listing_id, SUM(delivered) AS delivered, SUM(attempts) AS attempts,
          SUM((SELECT SUM(value) FROM json_each(latency))) AS latencies
        FROM quality_days GROUP BY listing_id) AS counted ON counted.listing_id = listings.id
      LEFT JOIN (SELECT listing_id, SUM(content_digest IS NOT NULL) AS sold, SUM((content_digest IS NOT NULL)
          + COALESCE(failure GLOB 'delivery_*', 0) + COALESCE(json_array_length(failed_collections), 0)) AS outcomes
        FROM purchases LEFT JOIN payments ON purchase_id = id GROUP BY listing_id) AS recorded
        ON recorded.listing_id = listings.id
      WHERE seller_kind <> 'platform'
        AND NOT EXISTS (SELECT 1 FROM quality_buyers WHERE quality_buyers.listing_id = listings.id AND attempts = 20)
        AND (COALESCE(delivered, 0) <> COALESCE(sold, 0) OR (COALESCE(attempts, 0) <> COALESCE(outcomes, 0) AND price_cents > 0)
          OR COALESCE(latencies, 0) <> COALESCE(delivered, 0))`,
  );
  expect(differing, 'listings whose measures are not those of their sales').toEqual([]);
}

function expectRowAgrees(purchase: PurchaseRow): void {
  const { id, status, rail, amount_cents: price } = purchase;
  expect(status, id).toMatch(OVER);
  const { captured_cents, refunded_cents, transferred_cents, fee_cents } = purchase;
  expect(transferred_cents + fee_cents + refunded_cents, 'what left a purchase').toBeLessThanOrEqual(
    captured_cents,
  );
  const isPaid = CAPTURED.test(status);
  const wasCaptured = isPaid || captured_cents > 0;
  // Of what ended without a delivery a part may have been captured by hand.
  const isWhole = isPaid || purchase.content_digest !== null;
  expect(captured_cents, 'more than the price').toBeLessThanOrEqual(price);
  expect([captured_cents, refunded_cents, transferred_cents]).toEqual([
    wasCaptured && isWhole ? price : captured_cents,
    wasCaptured && !isPaid ? captured_cents : 0,
    // What is given back with it is not of its price.
    status === 'released' ? Math.min(shareOf(purchase), shareOf({ ...purchase, withheld_cents: 0 })) : 0,
  ]);
  const ledger = [
    ...(rail === 'wallet' || purchase.set_aside_at !== null ? ['reserve'] : []),
    // Less than was reserved was used.
    ...(wasCaptured && purchase.is_rest_released === 1 ? ['release_reserve'] : []),
    ...(wasCaptured ? ['capture'] : rail === 'wallet' ? ['release_reserve'] : []),
    ...Array.from({ length: purchase.returns }, () => 'payout'),
    // What was refunded and came back into escrow.
    ...Array.from({ length: purchase.restorations }, () => ['refund', 'capture']).flat(),
    ...(wasCaptured && !isPaid ? ['refund'] : []),
    ...(status === 'released' && shareOf(purchase) > 0 ? ['payout'] : []),
  ];
  expect(purchase.postings ?? '', `postings of a purchase that is ${status}`).toBe(ledger.join(' '));
}

/** The seller's share of the price, less what banks took of it, and what is withheld of it for other sales. */
const shareOf = (purchase: PurchaseRow): number =>
  purchase.amount_cents - purchase.platform_fee_cents - purchase.taken_net_cents - purchase.withheld_cents;

type Books = LookedInto['cards'];

function expectProcessorAgrees(
  purchase: PurchaseRow,
  payments: Books['payments'],
  transfers: Books['transfers'],
  disputes: Books['disputes'],
  paidByBank: ReturnType<PlatformBank['seen']>,
): void {
  const { id, status, rail, amount_cents: price, taken_net_cents, taken_fee_cents } = purchase;
  const isPaid = CAPTURED.test(status);
  // A bank that takes money from a sale which stays leaves the platform with the loss.
  const takenBack = isPaid ? 0 : disputes.reduce((sum, one) => sum + one.withdrawnCents, 0);
  const bank = memoryBank.look(id);
  expect(bank.isOpen, 'a reservation that nobody let go').toBe(false);
  const kept = payments.reduce(
    (sum, one) => sum + one.capturedCents - one.refundedCents,
    bank.keptCents - takenBack - paidByBank.refundedCents,
  );
  const refundedCents = payments.reduce((sum, one) => sum + one.refundedCents, 0);
  const left = isPaid ? price - Math.min(refundedCents, taken_net_cents + taken_fee_cents) : 0;
  // What the amounts of banks differ by from the price is not the sale's.
  const drift = isPaid || takenBack === 0 ? 0 : Math.round(price * 0.05);
  const expected = rail === 'wallet' ? 0 : left;
  expect(Math.abs(kept - expected), 'what the processor kept').toBeLessThanOrEqual(drift);
  expect(payments.map((one) => one.status)).not.toContain('authorized');
  expect(payments.length, 'payments of one purchase').toBeLessThanOrEqual(1);
  const transferred = transfers.filter((one) => !one.reversed).map(({ amountCents }) => amountCents);
  const sent = [...transferred, ...paidByBank.payouts];
  expect(sent, 'transfers of one purchase').toEqual(
    status === 'released' && shareOf(purchase) > 0 ? [shareOf(purchase)] : [],
  );
}

/** Captured is revealed and released is not, to this very moment. */
async function expectShownIfPaid(world: LookedInto, purchase: PurchaseRow): Promise<void> {
  const { id, status, buyer_id, captured_cents, content_digest } = purchase;
  if (world.shown.has(id))
    expect(captured_cents, 'what was taken for what was shown').toBe(purchase.amount_cents);
  const buyer = world.agentOf(buyer_id ?? '');
  if (!buyer) throw new Error('A purchase of nobody.');
  const { body } = await world.read(id, buyer);
  const isPaid = CAPTURED.test(status);
  expect([isPaid, body.content !== null, body.contentStatus]).toEqual([
    isPaid,
    isPaid,
    isPaid ? 'delivered' : 'withheld',
  ]);
  if (isPaid) expect(content_digest).toMatch(/^sha256:/);
}

async function expectTopUpsAgree(world: LookedInto, payments: Books['payments']): Promise<void> {
  for (const { paymentId, reference, capturedCents, refundedCents } of payments) {
    if (reference?.kind !== 'top_up') continue;
    const [topUp] = await world.rows<{ status: string; amount_cents: number }>(
      'SELECT status, amount_cents FROM wallet_top_ups WHERE id = ?',
      reference.id,
    );
    const credited = topUp?.status === 'paid' ? topUp.amount_cents : 0;
    const [elsewhere] = await world.rows<{ cents: number }>(
      "SELECT COALESCE(SUM(withdrawn_cents), 0) AS cents FROM chargebacks WHERE dispute_id = 'refund:' || ?",
      paymentId,
    );
    const [sentBack] = await world.rows<{ cents: number }>(
      "SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM top_up_refunds WHERE top_up_id = ? AND status = 'made'",
      reference.id,
    );
    expect(capturedCents - refundedCents, 'what was paid for credits').toBe(
      credited - (elsewhere?.cents ?? 0) - (sentBack?.cents ?? 0),
    );
  }
}

/**
 * What happened once is one event, whoever wrote it down, and reached its agent. A listing is activated each time that
 * its seller can be paid again, and an agent limited each time that a bank takes a top-up of its; what a bank gave back, it
 * may take again.
 */
async function expectToldOnce(world: LookedInto, since: number): Promise<void> {
  const twice = await world.rows(
    `SELECT agent_id, type, data, COUNT(*) AS n FROM agent_events WHERE rowid > ?
        AND type NOT IN ('payout.failed', 'listing.activated', 'account.limited')
      GROUP BY agent_id, type, data HAVING n > 1 + COALESCE((SELECT restorations FROM payments
        WHERE purchase_id = data ->> 'purchaseId'), 0) + COALESCE((SELECT returns FROM transfers
        WHERE purchase_id = data ->> 'purchaseId'), 0) + (SELECT COUNT(*) FROM agent_events AS won
        WHERE won.type = 'sale.chargeback' AND won.data ->> 'purchaseId' = agent_events.data ->> 'purchaseId'
          AND won.data ->> 'chargeback' = 'won')`,
    since,
  );
  expect(twice, 'events that were noted twice').toEqual([]);
  const unheard = await world.rows(
    'SELECT type FROM agent_events WHERE rowid > ? AND delivered_at IS NULL AND is_pushed',
    since,
  );
  expect(unheard, 'events that nobody heard of').toEqual([]);
  const misnumbered =
    await world.rows(`SELECT agent_id FROM agent_events LEFT JOIN agent_event_counts USING (agent_id)
    GROUP BY agent_id HAVING MIN(sequence) <> 1 OR MAX(sequence) <> COUNT(*) OR MAX(sequence) IS NOT last_sequence`);
  expect(misnumbered, 'agents whose events are not numbered from 1 without gaps').toEqual([]);
}
