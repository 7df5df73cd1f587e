import { randomUUID } from 'node:crypto';
import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { CAN_BE_KILLED, type KillableMarketplace, startKillableMarketplace } from './killable-marketplace.ts';
import { type LiveSeller, startSeller } from './seller.ts';

// One debit, one delivery record, and captured exactly when it is shown, with a runtime that dies for real:
// SIGKILL, and another one over the same files.

declare module 'vitest' {
  interface ProvidedContext {
    /** How long after the seller's answer the runtime is killed; by vitest.config.ts. */
    killAfterMs: readonly number[];
  }
}

const PRICE = 1000;
const FUNDS = 20_000;
const CONTENT = { answer: 42 };
const SETTLED = ['held', 'releasing', 'released'];

interface PurchaseRow {
  id: string;
  status: string;
}

let place: KillableMarketplace;
let seller: LiveSeller;
let buyer: MarketplaceClient;
let buyerId: string;
let listingId: string;
/** What the seller does when it is asked, before it answers with the content. */
let beforeAnswer: () => Promise<void> | void = () => {};

async function rows<Row>(sql: string, ...params: (string | number)[]): Promise<Row[]> {
  return (await place.market()).all<Row>({ sql, params });
}

async function number(sql: string, ...params: (string | number)[]): Promise<number> {
  const [row] = await rows<{ n: number | null }>(sql, ...params);
  return row?.n ?? 0;
}

const purchases = () => rows<PurchaseRow>('SELECT id, status FROM purchases ORDER BY created_at, id');
const balance = async () => (await buyer.getWalletBalance()).balanceCents;
const reserved = () =>
  number("SELECT SUM(balance_cents) AS n FROM ledger_accounts WHERE account GLOB 'reserved:*'");

const buy = (idempotencyKey: string) =>
  buyer.purchaseListing({ listingId, paymentMethod: 'wallet' }, { idempotencyKey });

/** Whether the buyer has its answer, as far as it knows. */
function watched(buying: ReturnType<typeof buy>) {
  const seen: { shown: Awaited<typeof buying> | null } = { shown: null };
  const over = buying.then(
    (purchase) => {
      seen.shown = purchase;
    },
    () => {},
  );
  return { seen, over };
}

/**
 * Makes everything that a request had a minute for as old as if that minute were over: in the real clock's
 * place, which nobody can put forward from outside, the rows are put back.
 */
async function passTheMinute(): Promise<void> {
  const earlier = (column: string) => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-61 seconds')`;
  const market = await place.market();
  await market.commit([
    {
      sql: `UPDATE payments SET ${earlier('due_at')}, ${earlier('leased_until')}, ${earlier('authorized_at')},
          ${earlier('collect_until')}
        WHERE purchase_id IN (SELECT id FROM purchases WHERE status = 'authorized')`,
      params: [],
    },
    { sql: `UPDATE idempotency_keys SET ${earlier('claimed_until')} WHERE outcome IS NULL`, params: [] },
  ]);
}

/** What holds at any moment, half-way through a purchase as well. */
async function expectBalancedLedger(): Promise<void> {
  expect(await number('SELECT SUM(balance_cents) AS n FROM ledger_accounts')).toBe(0);
  const unbalanced = `SELECT p.id FROM ledger_postings p LEFT JOIN ledger_entries e ON e.posting_id = p.id
    GROUP BY p.id HAVING COALESCE(SUM(e.amount_cents), 1) <> 0`;
  expect(await rows(unbalanced)).toEqual([]);
  // Each account holds what its entries, the top-ups and the purchases say it should.
  expect(
    (await reconcile(await place.market(), { processor: null, chain: null }, Date.now())).findings,
  ).toEqual([]);
}

/** It is over, and its postings say the same as its status. */
async function expectOneEnd(purchase: PurchaseRow): Promise<'captured' | 'given back'> {
  const postings = await rows<{ kind: string }>(
    'SELECT kind FROM ledger_postings WHERE reference = ? ORDER BY kind',
    purchase.id,
  );
  const kinds = postings.map(({ kind }) => kind);
  const isCaptured = SETTLED.includes(purchase.status);
  expect([purchase.status, kinds]).toEqual(
    isCaptured ? ['held', ['capture', 'reserve']] : ['expired', ['release_reserve', 'reserve']],
  );
  return isCaptured ? 'captured' : 'given back';
}

async function openShop(anyone: MarketplaceClient): Promise<void> {
  const { cards } = place.now();
  const { apiKey, onboardingUrl } = await anyone.registerSeller({ name: 'Seller' });
  const asSeller = anyone.withApiKey(apiKey ?? '');
  const { listing } = await asSeller.createListing({
    title: 'An answer',
    description: 'To a question that takes long.',
    preview: {},
    priceCents: PRICE,
    consent: true,
  });
  listingId = listing.id;
  await asSeller.setDeliveryEndpoint({ callbackUrl: seller.callbackUrl });
  await enterPayoutDetails(onboardingUrl ?? '');
  await cards?.control.webhooks.settled();
  expect((await anyone.getListing({ listingId })).listing.status).toBe('active');
}

async function fundBuyer(anyone: MarketplaceClient): Promise<void> {
  const { id, apiKey } = await anyone.registerAgent({ name: 'Buyer' });
  buyerId = id;
  buyer = anyone.withApiKey(apiKey);
  const { checkoutUrl } = await buyer.fundWallet({ amountCents: FUNDS });
  await enterCard(checkoutUrl, '4242424242424242');
  await place.now().cards?.control.webhooks.settled();
  expect(await balance()).toBe(FUNDS);
}

// Elsewhere there is no /proc to tell which process is the runtime.
describe.skipIf(!CAN_BE_KILLED)('a wallet purchase whose runtime is killed', () => {
  beforeAll(async () => {
    place = await startKillableMarketplace();
    const anyone = createMarketplaceClient({ baseUrl: place.baseUrl, retries: 0 });
    seller = await startSeller(place.baseUrl, async () => {
      await beforeAnswer();
      return CONTENT;
    });
    await openShop(anyone);
    await fundBuyer(anyone);
  });
  afterAll(async () => {
    await seller?.close();
    await place?.close();
  });

  let balanceBefore: number;
  let known: Set<string>;
  const madeHere = async () => (await purchases()).filter(({ id }) => !known.has(id));

  beforeEach(async () => {
    known = new Set((await purchases()).map(({ id }) => id));
    balanceBefore = await balance();
  });
  afterEach(async () => {
    beforeAnswer = () => {};
    await expectBalancedLedger();
    expect(await reserved()).toBe(0);
    expect(
      await number(
        'SELECT SUM(balance_cents) AS n FROM ledger_accounts WHERE account = ?',
        `wallet:${buyerId}`,
      ),
    ).toBe(await balance());
  });

  /** The buyer's own retry: one purchase is paid, however the first try ended. */
  async function expectRetryPaysOnce(key: string): Promise<string> {
    const { id, content, status } = await buy(key);
    expect([content, status]).toEqual([expect.objectContaining(CONTENT), 'held']);
    expect((await buy(key)).id).toBe(id);
    const made = await madeHere();
    expect(made.filter((one) => SETTLED.includes(one.status)).map((one) => one.id)).toEqual([id]);
    for (const one of made) await expectOneEnd(one);
    expect(await balance()).toBe(balanceBefore - PRICE);
    return id;
  }

  /** Killed while the seller thinks; the money is reserved. Up again when this returns. */
  async function killWhileAsking(key: string): Promise<PurchaseRow> {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    beforeAnswer = () => {
      asked.resolve();
      return released.promise;
    };
    const { seen, over } = watched(buy(key));
    await asked.promise;
    expect([await reserved(), await balance()]).toEqual([PRICE, balanceBefore - PRICE]);
    place.kill();
    await over;
    released.resolve();
    expect(seen.shown).toBeNull();
    await place.restart();
    beforeAnswer = () => {};
    const [purchase, ...others] = await madeHere();
    expect([purchase?.status, others]).toEqual(['authorized', []]);
    await expectBalancedLedger();
    return purchase as PurchaseRow;
  }

  it('while it waits for the seller: the minute over, a job gives the money back, and a retry pays once', async () => {
    const key = randomUUID();
    const { id } = await killWhileAsking(key);

    // For its minute it is somebody's: neither a job nor a retry may take it over.
    await place.now().runScheduled();
    await expect(buy(key)).rejects.toMatchObject({ code: 'idempotency_in_flight' });
    expect([await reserved(), await balance()]).toEqual([PRICE, balanceBefore - PRICE]);

    await passTheMinute();
    await place.now().runScheduled();
    const [ended] = await madeHere();
    expect(ended && (await expectOneEnd(ended))).toBe('given back');
    expect([await reserved(), await balance()]).toEqual([0, balanceBefore]);
    const { content, contentStatus } = await buyer.getPurchase({ purchaseId: id });
    expect([content, contentStatus]).toEqual([null, 'withheld']);

    expect(await expectRetryPaysOnce(key)).not.toBe(id);
    await place.now().runScheduled();
    expect(await madeHere()).toHaveLength(2);
  });

  it('while it waits for the seller, and the retry comes before the job: it is paid once all the same', async () => {
    const key = randomUUID();
    const { id } = await killWhileAsking(key);
    await passTheMinute();
    const retried = await buy(key);
    expect(retried.id).not.toBe(id);
    await place.now().runScheduled();
    expect(await expectRetryPaysOnce(key)).toBe(retried.id);
  });

  it.each([
    ...inject('killAfterMs').map((delayMs) => [`${delayMs} ms after the seller answered`, delayMs] as const),
    ['at the first write after the seller answered', null] as const,
  ])('%s: captured and shown, or given back and not shown', async (_, delayMs) => {
    const key = randomUUID();
    const killed = Promise.withResolvers<void>();
    beforeAnswer = () => {
      if (delayMs === null) {
        // From here to the capture nothing else is written.
        place.killAtNextWrite().then(killed.resolve, killed.reject);
        return;
      }
      setTimeout(() => {
        place.kill();
        killed.resolve();
      }, delayMs);
    };
    const { seen, over } = watched(buy(key));
    await Promise.all([killed.promise, over]);
    beforeAnswer = () => {};
    await place.restart();

    const [before, ...others] = await madeHere();
    expect(others).toEqual([]);
    expect(before?.status).toMatch(seen.shown ? /^held$/ : /^(authorized|held)$/);
    await expectBalancedLedger();

    await passTheMinute();
    await place.now().runScheduled();
    const [after] = await madeHere();
    if (!after) throw new Error('The purchase is gone.');
    const end = await expectOneEnd(after);
    // What was captured stays so; only what was between is given back.
    expect(end).toBe(before?.status === 'held' ? 'captured' : 'given back');
    const shown = await buyer.getPurchase({ purchaseId: after.id });
    if (end === 'captured') {
      expect(shown).toMatchObject({ content: CONTENT, contentMatchesReceipt: true, status: 'held' });
      expect(await balance()).toBe(balanceBefore - PRICE);
      expect(await expectRetryPaysOnce(key)).toBe(after.id);
    } else {
      expect(shown).toMatchObject({ content: null, contentStatus: 'withheld', receipt: null });
      expect(await balance()).toBe(balanceBefore);
      expect(await expectRetryPaysOnce(key)).not.toBe(after.id);
    }
  });

  it('right after the buyer has its answer: what was shown stays captured', async () => {
    const key = randomUUID();
    const { id } = await buy(key);
    place.kill();
    await place.restart();
    expect(await madeHere()).toEqual([{ id, status: 'held' }]);
    await passTheMinute();
    await place.now().runScheduled();
    expect(await expectRetryPaysOnce(key)).toBe(id);
  });
});
