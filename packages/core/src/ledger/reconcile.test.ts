import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { build } from '../db/build.ts';
import { insertInto } from '../db/insert-into.ts';
import { toStatement } from '../db/query.ts';
import { purchases } from '../db/tables/purchases.ts';
import { chargebackShares, chargebacks, payments, returnedTransfers } from '../db/tables/sales.ts';
import { usdcPayments } from '../db/tables/usdc-payments.ts';
import { topUpRefunds, wallets, walletTopUps } from '../db/tables/wallet.ts';
import { addPendingListing, newAgentOf, newSellerOf } from '../testing/fixtures/new-seller.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import {
  capture,
  carryForward,
  type Posting,
  payout,
  post,
  refund,
  refundTopUp,
  releaseReserve,
  reserve,
  reserveTopUpRefund,
  type Sale,
  topUp,
  walletAccount,
} from './index.ts';
import { chargeback, transferOf } from './ledger.rules.ts';
import { type Finding, reconcile } from './reconcile.ts';

const market = createTestMarketplace();
const { ids, clock } = market;
const AT = '2026-06-01T12:00:00.000Z';
const LATER = '2026-06-01T13:00:00.000Z';

type PurchaseRow = typeof purchases.$inferInsert;

let buyerId: string;
let sellerId: string;
let listingId: string;
const topUpId = ids.uuid();

const commit = (...statements: Parameters<ReturnType<typeof market.newPorts>['market']['commit']>[0]) =>
  market.newPorts().market.commit(statements);
const posted = (posting: Posting) => post(posting, ids.uuid(), AT);

const CLEARING = { card: 'card_clearing', checkout: 'card_clearing', x402: 'usdc_clearing' } as const;

const paymentOf = ({ purchaseId, payerAccount }: Sale) =>
  insertInto(payments, {
    purchaseId,
    payerAccount,
    fingerprint: `sha256:${'0'.repeat(64)}`,
    fulfilment: 'digital',
    holdHours: 72,
  });

/** A purchase in this state, with the postings that lead there. */
async function purchase(
  status: PurchaseRow['status'],
  rail: keyof typeof CLEARING | 'wallet',
  amountCents: number,
  steps: ((sale: Sale) => Posting)[],
): Promise<Sale> {
  const sale: Sale = {
    purchaseId: ids.uuid(),
    sellerId,
    payerAccount: rail === 'wallet' ? walletAccount(buyerId) : CLEARING[rail],
    amountCents,
    platformFeeCents: Math.floor(amountCents / 20),
  };
  const isDelivered = ['held', 'releasing', 'released'].includes(status);
  const row: PurchaseRow = {
    id: sale.purchaseId,
    listingId,
    sellerId,
    buyerId,
    status,
    rail,
    amountCents,
    platformFeeCents: sale.platformFeeCents,
    feeScheduleVersion: 1,
    listingVersion: 1,
    contentDigest: isDelivered ? `sha256:${'0'.repeat(64)}` : null,
    deliveredAt: isDelivered ? AT : null,
    createdAt: AT,
  };
  await commit(insertInto(purchases, row), paymentOf(sale), ...steps.map((step) => posted(step(sale))));
  return sale;
}

const report = (figures: Partial<Parameters<typeof reconcile>[1]> = {}) =>
  reconcile(market.newPorts().market, { processor: null, chain: null, ...figures }, clock.now());
const findings = async () => (await report()).findings;

/** Breaks something by hand, looks, and repairs it. */
async function planted(breaks: string, repairs: string): Promise<readonly Finding[]> {
  await testBindings.DB.exec(breaks);
  const found = await findings();
  await testBindings.DB.exec(repairs);
  expect(await findings()).toEqual([]);
  return found;
}

beforeAll(async () => {
  buyerId = (await newAgentOf(market)).id;
  sellerId = (await newSellerOf(market)).id;
  listingId = await addPendingListing(market, sellerId);
  const row = {
    id: topUpId,
    agentId: buyerId,
    amountCents: 50_000,
    status: 'paid' as const,
    source: 'checkout' as const,
    paymentId: 'pay_1',
    createdAt: AT,
    expiresAt: LATER,
    lookAt: LATER,
  };
  await commit(
    insertInto(wallets, { agentId: buyerId, fundedCents: 50_000 }),
    insertInto(walletTopUps, row),
    posted(topUp({ topUpId, agentId: buyerId, amountCents: 50_000 })),
  );
});

describe('a marketplace with purchases in every state', () => {
  it('agrees with itself', async () => {
    await purchase('pending_payment', 'checkout', 700, []);
    await purchase('pending_payment', 'wallet', 710, [reserve]);
    await purchase('authorized', 'wallet', 2000, [reserve]);
    await purchase('authorized', 'card', 2100, []);
    await purchase('held', 'wallet', 3000, [reserve, capture]);
    await purchase('held', 'card', 3100, [capture]);
    await purchase('releasing', 'checkout', 3200, [capture]);
    await purchase('released', 'wallet', 4000, [reserve, capture, payout]);
    await purchase('released', 'x402', 4100, [capture, payout]);
    await purchase('released', 'checkout', 0, []);
    await purchase('refunded', 'wallet', 5000, [reserve, capture, refund]);
    await purchase('refunded', 'card', 5100, [capture, refund]);
    await purchase('failed', 'wallet', 6000, [reserve, releaseReserve]);
    await purchase('expired', 'card', 6100, []);
    expect(await report()).toEqual({
      balances: expect.arrayContaining([
        { account: 'card_clearing', amount: -(50_000 + 3100 + 3200), currency: 'usd', rail: 'card' },
        { account: 'fees', amount: 150 + 155 + 160 + 200 + 205, currency: 'usd', rail: null },
      ]),
      findings: [],
      walletLiabilityCents: 50_000 - 710 - 2000 - 3000 - 4000,
      reservedCents: 710 + 2000,
      escrowCents: 2850 + 2945 + 3040,
      feesCents: 150 + 155 + 160 + 200 + 205,
      chargebacksCents: 0,
      cardClearingCents: -(50_000 + 3100 + 3200),
      usdcClearingCents: -4100,
      payoutsCents: 3800 + 3895,
      usdcPayoutsCents: 0,
      usdcOverpaidCents: 0,
      processorFeesCents: 0,
    });
  });

  it('is read in one round trip', async () => {
    market.market.reset();
    await report();
    expect(market.market.count).toBe(1);
  });

  it('agrees with the card processor only at the exact figure', async () => {
    const held = 50_000 + 3100 + 3200 - 3800 - 3895;
    const exact = { availableCents: 1000, pendingCents: held - 1090, keptCents: 90 };
    expect((await report({ processor: exact })).findings).toEqual([]);
    const short = { availableCents: held - 1, pendingCents: 0, keptCents: 0 };
    expect((await report({ processor: short })).findings).toEqual([
      { check: 'card_processor', subject: 'balance', expectedCents: held, actualCents: held - 1 },
    ]);
  });

  it('agrees with the chain only at the exact figure, with what the operator moved by itself', async () => {
    expect((await report({ chain: { balanceUnits: 41_000_000n, addedCents: 0 } })).findings).toEqual([]);
    expect((await report({ chain: { balanceUnits: 40_009_999n, addedCents: -100 } })).findings).toEqual([]);
    expect((await report({ chain: { balanceUnits: 40_999_999n, addedCents: 0 } })).findings).toEqual([
      { check: 'usdc', subject: 'balance', expectedCents: 4100, actualCents: 4099 },
    ]);
  });

  it('expects on chain what a payer sent above the price, until it is given back', async () => {
    const sale = await purchase('held', 'x402', 300, [capture]);
    await commit(
      insertInto(usdcPayments, {
        purchaseId: sale.purchaseId,
        chainId: 8453,
        payer: `0x${'1'.repeat(40)}`,
        payTo: `0x${'2'.repeat(40)}`,
        units: '3500001',
        validAfter: '0',
        validBefore: '9999999999',
        nonce: `0x${'3'.repeat(64)}`,
        binding: 'sha256:0',
      }),
    );
    const withAll = await report({ chain: { balanceUnits: 41_000_000n + 3_500_001n, addedCents: 0 } });
    expect(withAll).toMatchObject({ findings: [], usdcOverpaidCents: 50 });
    await commit(
      posted(refund(sale)),
      toStatement(
        build.update(purchases).set({ status: 'refunded' }).where(eq(purchases.id, sale.purchaseId)),
      ),
    );
    const without = await report({ chain: { balanceUnits: 41_000_000n, addedCents: 0 } });
    expect(without).toMatchObject({ findings: [], usdcOverpaidCents: 0 });
  });
});

describe('what is over', () => {
  async function openSubjects(): Promise<number | undefined> {
    const row = await testBindings.DB.prepare('SELECT COUNT(*) AS n FROM open_subjects').all<{ n: number }>();
    return row.results[0]?.n;
  }

  it('is carried: the report stays as it was, and whatever changes it is found', async () => {
    const sale = await purchase('released', 'card', 1300, [capture, payout]);
    const before = await report();
    const chain = { balanceUnits: 41_000_000n, addedCents: 0 };
    const { usdcOverpaidCents } = await report({ chain });
    await carryForward(market.newPorts());
    expect(await report()).toEqual(before);
    expect((await report({ chain })).usdcOverpaidCents).toBe(usdcOverpaidCents);
    // Two that are pending, two authorized, two held and one releasing.
    expect(await openSubjects()).toBe(7);
    const taken = (cents: number) =>
      `UPDATE payments SET taken_net_cents = ${cents} WHERE purchase_id = '${sale.purchaseId}'`;
    const found = await planted(taken(1), taken(0));
    expect(found.map(({ check, subject }) => [check, subject])).toEqual([
      ['account', 'payouts'],
      ['posting', `payout:${sale.purchaseId}`],
    ]);
    await carryForward(market.newPorts());
    expect([await openSubjects(), await report()]).toEqual([7, before]);
  });

  it('is carried of what banks took, transfers that came back and refunds of top-ups', async () => {
    const paid = await purchase('released', 'card', 1500, [capture, payout]);
    const ofWallet = await purchase('refunded', 'wallet', 1600, [reserve, capture, refund]);
    const [dispute, ofTopUp] = ['dp_paid', 'dp_top_up'];
    const chargebackOf = { status: 'lost', openedAt: AT, settledAt: AT, revision: 1 } as const;
    const refundOf = { topUpId, number: 1, agentId: buyerId, amountCents: 300 };
    const took = (reference: string, withdrawnCents: number, agentId?: string) =>
      chargeback({ reference, withdrawnCents, wallet: agentId ? { agentId, coveredCents: 400 } : null });
    const paidAfterReturn = { ...paid, returns: 1 };
    await commit(
      insertInto(chargebacks, {
        ...chargebackOf,
        disputeId: dispute,
        paymentId: 'pay_3',
        purchaseId: paid.purchaseId,
        amountCents: 200,
        withdrawnCents: 200,
        coveredCents: 0,
      }),
      insertInto(chargebacks, {
        ...chargebackOf,
        disputeId: ofTopUp,
        paymentId: 'pay_1',
        topUpId,
        agentId: buyerId,
        amountCents: 500,
        withdrawnCents: 500,
        coveredCents: 400,
        escrowCents: 100,
      }),
      insertInto(chargebackShares, {
        disputeId: ofTopUp,
        purchaseId: ofWallet.purchaseId,
        claimedCents: 100,
        takenCents: 100,
      }),
      insertInto(returnedTransfers, {
        transferId: 'tr_1',
        purchaseId: paid.purchaseId,
        amountCents: 1425,
        payoutReference: paid.purchaseId,
        returnedAt: AT,
      }),
      insertInto(topUpRefunds, {
        topUpId,
        number: 1,
        amountCents: 300,
        status: 'made',
        createdAt: AT,
        checkAt: AT,
      }),
      ...[took(dispute, 200), took(ofTopUp, 500, buyerId)].flatMap((one) => (one ? [posted(one)] : [])),
      ...[
        transferOf('transfer_reversal', 'tr_1', {
          into: 'payouts',
          from: `escrow:${sellerId}`,
          amountCents: 1425,
        }),
        payout(paidAfterReturn),
      ].map(posted),
      ...[reserveTopUpRefund(refundOf), refundTopUp(refundOf)].map(posted),
    );
    const before = await report();
    expect(before.findings).toEqual([]);
    await carryForward(market.newPorts());
    expect([await openSubjects(), await report()]).toEqual([7, before]);
    const changed = async (table: string, where: string, column: string) => {
      const add = (cents: number) => `UPDATE ${table} SET ${column} = ${column} + ${cents} WHERE ${where}`;
      const found = await planted(add(1), add(-1));
      await carryForward(market.newPorts());
      return found.map(({ subject }) => subject);
    };
    expect(await changed('chargebacks', `dispute_id = '${dispute}'`, 'withdrawn_cents')).toEqual([
      'card_clearing',
      'chargebacks',
    ]);
    expect(await changed('chargebacks', `dispute_id = '${ofTopUp}'`, 'covered_cents')).toEqual([
      'chargebacks',
      `wallet:${buyerId}`,
    ]);
    expect(await changed('returned_transfers', `transfer_id = 'tr_1'`, 'amount_cents')).toEqual([
      `escrow:${sellerId}`,
      'payouts',
    ]);
    expect(await changed('top_up_refunds', `top_up_id = '${topUpId}'`, 'amount_cents')).toEqual([
      'card_clearing',
      `wallet:${buyerId}`,
    ]);
    // What was taken of a sale is the wallet's while the sale is refunded.
    const id = ofWallet.purchaseId;
    expect(await changed('chargeback_shares', `purchase_id = '${id}'`, 'taken_cents')).toEqual([
      `wallet:${buyerId}`,
    ]);
    const delivery = `delivered_at = '${AT}', content_digest = 'sha256:${'0'.repeat(64)}'`;
    const stand = (status: string) =>
      `UPDATE purchases SET status = '${status}', ${delivery} WHERE id = '${id}'`;
    const wallet = (await planted(stand('held'), stand('refunded'))).find(
      ({ subject }) => subject === `wallet:${buyerId}`,
    );
    expect((wallet?.expectedCents ?? 0) - (wallet?.actualCents ?? 0)).toBe(100 - 1600);
    await carryForward(market.newPorts());
    expect([await openSubjects(), await report()]).toEqual([7, before]);
  });

  it('is not carried while it differs', async () => {
    const sale = await purchase('released', 'card', 1400, [capture]);
    const found = await findings();
    await carryForward(market.newPorts());
    expect([await openSubjects(), await findings()]).toEqual([8, found]);
    await commit(posted(payout(sale)));
    await carryForward(market.newPorts());
    expect([await openSubjects(), await findings()]).toEqual([7, []]);
  });
});

describe('what does not agree is found', () => {
  it('a wallet that holds a cent more than it should', async () => {
    const found = await planted(
      `UPDATE ledger_accounts SET balance_cents = balance_cents + 1 WHERE account = 'wallet:${buyerId}'`,
      `UPDATE ledger_accounts SET balance_cents = balance_cents - 1 WHERE account = 'wallet:${buyerId}'`,
    );
    expect(found).toEqual([
      { check: 'ledger_sum', subject: 'ledger', expectedCents: 0, actualCents: 1 },
      { check: 'entries', subject: `wallet:${buyerId}`, expectedCents: 39_590, actualCents: 39_591 },
      { check: 'account', subject: `wallet:${buyerId}`, expectedCents: 39_590, actualCents: 39_591 },
    ]);
  });

  it('a purchase that ended without giving back what was reserved', async () => {
    const sale = await purchase('authorized', 'wallet', 900, [reserve]);
    const found = await planted(
      `UPDATE purchases SET status = 'failed' WHERE id = '${sale.purchaseId}'`,
      `DELETE FROM payments WHERE purchase_id = '${sale.purchaseId}'; DELETE FROM purchases WHERE id = '${sale.purchaseId}'; INSERT INTO purchases (id, listing_id, seller_id,
        buyer_id, status, rail, amount_cents, platform_fee_cents, fee_schedule_version, listing_version, created_at)
        VALUES ('${sale.purchaseId}', '${listingId}', '${sellerId}', '${buyerId}', 'authorized', 'wallet', 900, 45, 1,
        1, '${AT}'); INSERT INTO payments (purchase_id, fingerprint, fulfilment, hold_hours, payer_account)
        VALUES ('${sale.purchaseId}', 'sha256:', 'digital', 72, '${sale.payerAccount}')`.replaceAll(
        '\n',
        ' ',
      ),
    );
    expect(found.map(({ check, subject }) => [check, subject])).toEqual([
      ['account', `reserved:${sale.purchaseId}`],
      ['account', `wallet:${buyerId}`],
    ]);
  });

  it('a sale whose state says captured, but whose money was not', async () => {
    const sale: Sale = await purchase('held', 'card', 800, []);
    const found = await findings();
    expect(found.map(({ check, subject }) => [check, subject])).toEqual([
      ['account', 'card_clearing'],
      ['account', `escrow:${sellerId}`],
      ['account', 'fees'],
      ['posting', `capture:${sale.purchaseId}`],
    ]);
    await commit(posted(capture(sale)));
    expect(await findings()).toEqual([]);
  });

  it('two sales whose errors cancel out', async () => {
    const [short, long] = [
      await purchase('held', 'card', 1000, []),
      await purchase('held', 'card', 1000, []),
    ];
    await commit(
      posted({ ...capture({ ...short, amountCents: 900 }) }),
      posted(capture({ ...long, amountCents: 1100 })),
    );
    const found = await findings();
    expect(found.map(({ check, subject }) => [check, subject])).toEqual(
      [short, long].map(({ purchaseId }) => ['posting', `capture:${purchaseId}`]).sort(),
    );
    await testBindings.DB.exec(`DELETE FROM payments WHERE purchase_id = '${short.purchaseId}'`);
    await testBindings.DB.exec(`DELETE FROM purchases WHERE id = '${short.purchaseId}'`);
    expect((await findings()).some(({ subject }) => subject === `capture:${short.purchaseId}`)).toBe(true);
    await testBindings.DB.exec(
      `UPDATE purchases SET amount_cents = 1100, platform_fee_cents = 50 WHERE id = '${long.purchaseId}'`,
    );
    await purchaseAgain(short, 900);
    expect(await findings()).toEqual([]);
  });

  it('credits that nobody paid for, and payments that nobody was credited for', async () => {
    const strayId = ids.uuid();
    await commit(posted(topUp({ topUpId: strayId, agentId: buyerId, amountCents: 1000 })));
    expect((await findings()).map(({ check, subject }) => [check, subject])).toEqual([
      ['account', 'card_clearing'],
      ['account', `wallet:${buyerId}`],
      ['posting', `top_up:${strayId}`],
    ]);
    const row = { id: strayId, agentId: buyerId, amountCents: 1000, source: 'checkout' as const };
    const times = { createdAt: AT, expiresAt: LATER, lookAt: LATER };
    await commit(insertInto(walletTopUps, { ...row, ...times, status: 'paid', paymentId: 'pay_2' }));
    expect(await findings()).toEqual([
      { check: 'funded', subject: buyerId, expectedCents: 51_000, actualCents: 50_000 },
    ]);
    await testBindings.DB.exec(`UPDATE wallets SET funded_cents = 51000 WHERE agent_id = '${buyerId}'`);
    expect(await findings()).toEqual([]);
  });

  it('a top-up that never ended', async () => {
    const id = ids.uuid();
    const row = { id, agentId: buyerId, amountCents: 1000, source: 'checkout' as const };
    const times = { createdAt: AT, expiresAt: AT, lookAt: AT };
    await commit(insertInto(walletTopUps, { ...row, ...times, status: 'open' }));
    expect(await findings()).toEqual([]);
    clock.advance(2 * 3600_000 + 1);
    expect(await findings()).toEqual([
      { check: 'top_up_overdue', subject: id, expectedCents: 0, actualCents: 1000 },
    ]);
  });
});

/** Puts a purchase back as its postings have it. */
async function purchaseAgain(sale: Sale, amountCents: number): Promise<void> {
  await commit(
    insertInto(purchases, {
      id: sale.purchaseId,
      listingId,
      sellerId,
      buyerId,
      status: 'held',
      rail: 'card',
      amountCents,
      platformFeeCents: sale.platformFeeCents,
      feeScheduleVersion: 1,
      listingVersion: 1,
      contentDigest: `sha256:${'0'.repeat(64)}`,
      deliveredAt: AT,
      createdAt: AT,
    }),
    paymentOf(sale),
  );
}
