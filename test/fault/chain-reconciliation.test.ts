import { compareLedgerEntries, readChainTransfers } from '@agent-marketplace/core/ledger/index.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { newAccount, newNonce, signTransfer } from '@agent-marketplace/core/testing/suites/chain.harness.ts';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { judgeAtEnd } from './oracle/judge-both.ts';

// USDC that came to the platform's account or left it, against the postings that name it: transaction by transaction.

const query = createQueryMarketplace();
// Strangers deposit 700, 300 and 100, and another tool sends 400 away.
judgeAtEnd(query, { depositedCents: 700 });
const { sales, market, chain } = query;
const shop = createUsdcShop(query);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CENT = 10_000n;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

async function minute(): Promise<void> {
  const ports = market.newPorts();
  await readChainTransfers(ports);
  await compareLedgerEntries(ports);
}

interface Item {
  readonly id: string;
  readonly rail: string;
}

/** What is said of USDC after everything under way has settled. */
async function report() {
  market.clock.advance(6 * MINUTE);
  chain.mine();
  await minute();
  const { status, body } = await sales.request('GET', '/admin/reconciliation', null, undefined, admin);
  expect(status).toBe(200);
  const { objects } = body as unknown as {
    objects: Record<'differs' | 'onlyInLedger' | 'onlyOutside', readonly Item[]> & {
      readonly counts: readonly { rail: string; comparison: string; kind: string; count: number }[];
      readonly readings: readonly { rail: string; readUntil: string | null; isUpToDate: boolean }[];
    };
  };
  const ofUsdc = (items: readonly Item[]) => items.filter(({ rail }) => rail === 'usdc');
  const matched = (kind: string) =>
    objects.counts.find((one) => one.rail === 'usdc' && one.comparison === 'matched' && one.kind === kind)
      ?.count ?? 0;
  return {
    differs: ofUsdc(objects.differs),
    onlyInLedger: ofUsdc(objects.onlyInLedger),
    onlyOutside: ofUsdc(objects.onlyOutside),
    reading: objects.readings.find(({ rail }) => rail === 'usdc'),
    matched,
  };
}

const UP_TO_DATE = { rail: 'usdc', isUpToDate: true, readUntil: expect.any(String) };
const GREEN = { differs: [], onlyInLedger: [], onlyOutside: [], reading: UP_TO_DATE };

async function sellOverX402(priceCents: number) {
  const seller = await sales.seller();
  const { id } = await sales.listing({ priceCents }, seller);
  const payer = query.newPayer(BigInt(priceCents) * CENT);
  const { status, body, text } = await query.query(id, await query.pay(payer, id, 1));
  expect(status, text).toBe(200);
  const [paid] = await sales.rows<{ hash: Hex }>(
    'SELECT settled_by AS hash FROM usdc_payments WHERE purchase_id = ?',
    body.id,
  );
  return { purchaseId: body.id as string, payer, seller, hash: paid?.hash ?? '0x' };
}

async function refund(purchaseId: string): Promise<void> {
  await sales.rows(
    `INSERT INTO disputes (purchase_id, reason, opened_at) VALUES (?, 'Not so.', '2026-06-01T12:00:00.000Z')`,
    purchaseId,
  );
  const path = `/admin/disputes/${purchaseId}/decision`;
  await sales.request('POST', path, null, { decision: 'refund' }, admin);
  await sales.pass(6 * HOUR, 12);
  expect(await shop.statusOf(purchaseId)).toBe('refunded');
}

async function strangersDeposit(cents: bigint): Promise<Hex> {
  const account = newAccount();
  chain.fund(account.address, cents * CENT);
  const seconds = BigInt(Math.floor(market.clock.now() / 1000));
  const terms = { validAfter: seconds - 60n, validBefore: seconds + 3600n, nonce: newNonce() };
  const { authorization } = await signTransfer(account, chain.token, {
    from: account.address,
    to: chain.payTo,
    units: cents * CENT,
    ...terms,
  });
  return chain.relay(authorization);
}

const explain = (reference: string, amountCents: number, more: object = {}) =>
  sales.request(
    'POST',
    '/admin/ledger/adjustments',
    null,
    { account: 'usdc_clearing', amountCents, reference, reason: 'Known.', ...more },
    admin,
  );

beforeAll(async () => {
  chain.mine();
  await minute();
  chain.fund(chain.payTo, 1_000_000n * CENT);
  const [deposit] = (await report()).onlyOutside;
  expect(deposit?.id).toMatch(/^payment:0x/);
  const funded = await explain(deposit?.id ?? '', 1_000_000, { kind: 'funding' });
  expect(funded.status).toBe(200);
  expect(await report()).toMatchObject(GREEN);
});

afterEach(async () => {
  chain.conceals = () => false;
  chain.unfinalBlocks = 0;
  await query.heal();
  expect(await report()).toMatchObject(GREEN);
});

describe('each transfer on chain has its postings', () => {
  it('a settlement, a payout of several sales, and a refund', async () => {
    const before = await report();
    const { seller, buyer } = await shop.open();
    for (const price of [2000, 1999, 300]) await shop.sell(seller, buyer, price);
    const refunded = await sellOverX402(300);
    await refund(refunded.purchaseId);
    const second = await sellOverX402(300);
    expect(await report()).toMatchObject(GREEN);
    await refund(second.purchaseId);
    await sales.pass(80 * HOUR, 3);
    const after = await report();
    expect(after).toMatchObject(GREEN);
    // Two settlements came. Two refunds left, and one payout.
    expect(after.matched('payment') - before.matched('payment')).toBe(2);
    expect(after.matched('transfer') - before.matched('transfer')).toBe(3);
  });

  it("a stranger's deposit and a payout by another tool are named, and explained", async () => {
    const deposit = await strangersDeposit(700n);
    const seconds = BigInt(Math.floor(market.clock.now() / 1000));
    const sent = chain.relay({
      from: chain.payTo,
      to: newAccount().address,
      units: 400n * CENT,
      validAfter: seconds - 60n,
      validBefore: seconds + 3600n,
      nonce: newNonce(),
    });
    const found = await report();
    expect(found).toMatchObject({
      differs: [],
      onlyInLedger: [],
      onlyOutside: [
        { id: `payment:${deposit}`, kind: 'payment', outsideCents: 700, ledgerCents: 0 },
        { id: `transfer:${sent}`, kind: 'transfer', outsideCents: -400, ledgerCents: 0 },
      ],
      reading: UP_TO_DATE,
    });
    await explain(`payment:${deposit}`, 700);
    await explain(`transfer:${sent}`, -400);
  });

  it('what the operator sent elsewhere is known by the transaction that its evidence names', async () => {
    const sold = await sellOverX402(1200);
    const seconds = BigInt(Math.floor(market.clock.now() / 1000));
    const sent = chain.relay({
      from: chain.payTo,
      to: sold.payer.address,
      units: 1200n * CENT,
      validAfter: seconds - 60n,
      validBefore: seconds + 3600n,
      nonce: newNonce(),
    });
    const marked = await sales.request(
      'POST',
      `/admin/purchases/${sold.purchaseId}/paid-elsewhere`,
      null,
      {
        party: 'buyer',
        paidFrom: 'usdc_clearing',
        evidence: { text: `Sent by hand: ${sent}.` },
        reason: 'The relayer is broken.',
      },
      admin,
    );
    expect(marked.status, JSON.stringify(marked.body)).toBe(200);
    expect(await report()).toMatchObject(GREEN);
  });

  it('a settlement that the chain does not show is named', async () => {
    const sold = await sellOverX402(900);
    const other: Hex = `0x${'ab'.repeat(32)}`;
    await sales.rows('UPDATE usdc_payments SET settled_by = ? WHERE purchase_id = ?', other, sold.purchaseId);
    expect(await report()).toMatchObject({
      onlyInLedger: [{ id: `payment:${other}`, ledgerCents: 900, outsideCents: 0 }],
      onlyOutside: [{ id: `payment:${sold.hash}`, outsideCents: 900, ledgerCents: 0 }],
    });
    await explain(`payment:${other}`, -900);
    await explain(`payment:${sold.hash}`, 900);
  });
});

describe('what a node does not show is not known, and never well', () => {
  it('a chain that makes no blocks while nobody pays is no alarm', async () => {
    expect((await report()).reading).toMatchObject(UP_TO_DATE);
    const before = market.log.lines.length;
    chain.unfinalBlocks = 1_000_000;
    market.clock.advance(3 * HOUR);
    await report();
    const events = market.log.lines.slice(before).map(({ event }) => event);
    expect(events).not.toContain('chain_transfers_behind');
    chain.unfinalBlocks = 0;
  });

  it('blocks that are not final are left out, and the reading says so', async () => {
    chain.unfinalBlocks = 1_000_000;
    await strangersDeposit(100n);
    market.clock.advance(2 * HOUR);
    const found = await report();
    expect(found.reading).toMatchObject({ isUpToDate: false });
    expect(found.onlyOutside).toEqual([]);
    expect(market.log.lines.some(({ event }) => event === 'chain_transfers_behind')).toBe(true);
    chain.unfinalBlocks = 0;
    const [deposit] = (await report()).onlyOutside;
    await explain(deposit?.id ?? '', 100);
  });

  it('a transfer that the node leaves out holds everything after it back', async () => {
    const hidden = await strangersDeposit(300n);
    chain.conceals = (transaction) => transaction === hidden;
    const sold = await sellOverX402(800);
    market.clock.advance(2 * HOUR);
    const lied = await report();
    expect(lied).toMatchObject({ onlyOutside: [], onlyInLedger: [], reading: { isUpToDate: false } });
    expect(market.log.lines.filter(({ event }) => event === 'chain_transfers_differ').at(-1)).toMatchObject({
      level: 'error',
    });
    chain.conceals = () => false;
    const honest = await report();
    expect(honest).toMatchObject({ onlyInLedger: [], onlyOutside: [{ id: `payment:${hidden}` }] });
    expect(honest.reading).toMatchObject(UP_TO_DATE);
    expect(sold.hash).not.toBe(hidden);
    await explain(`payment:${hidden}`, 300);
  });

  it('a node that cannot be asked leaves what was known as it was', async () => {
    const before = (await report()).reading?.readUntil;
    chain.fault = ({ method }) => (method === 'listTransfers' ? 'lose_reply' : undefined);
    market.clock.advance(2 * HOUR);
    expect((await report()).reading).toEqual({ rail: 'usdc', isUpToDate: false, readUntil: before });
  });

  it('two runs at once count nothing twice', async () => {
    await sellOverX402(500);
    market.clock.advance(6 * MINUTE);
    await Promise.all([minute(), minute(), minute()]);
  });

  it('long silences are read page by page, and the next run goes on', async () => {
    chain.mine(1200);
    await sellOverX402(600);
    market.clock.advance(6 * MINUTE);
    const asked = () => chain.calls.filter(({ method }) => method === 'listTransfers').length;
    const before = asked();
    await minute();
    expect(asked() - before).toBe(20);
    expect((await report()).reading).toMatchObject({ isUpToDate: true });
  });
});
