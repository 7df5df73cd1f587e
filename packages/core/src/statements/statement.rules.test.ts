import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capture,
  escrowAccount,
  type Posting,
  payout,
  recoverClaim,
  refund,
  restore,
  returnPayout,
  type Sale,
  settleClaimBy,
  takeFromEscrow,
} from '../ledger/ledger.rules.ts';
import { type KindTotal, lineOfEntry, totalsOfKinds } from './statement.rules.ts';

const SELLER = 'a-seller';
const cents = fc.integer({ min: 1, max: 5000 });
const sale = fc
  .record({
    purchaseId: fc.uuid(),
    amountCents: fc.integer({ min: 100, max: 5000 }),
    platformFeeCents: fc.integer({ min: 0, max: 100 }),
  })
  .map((fields): Sale => ({ ...fields, sellerId: SELLER, payerAccount: 'card_clearing' }));
const way = fc.constantFrom('payer' as const, 'chargebacks' as const);
/** In any order: what the books could not hold is no matter here. */
const postings = fc.array(
  fc.oneof(
    sale.map((one) => [capture(one)]),
    fc.tuple(sale, way).map(([one, by]) => [refund(one, by)]),
    fc.tuple(sale, way).map(([one, by]) => [restore(one, by)]),
    sale.map((one) => [payout(one)]),
    sale.map((one) => [returnPayout(one, 'tr_1')]),
    fc
      .tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -90, max: 90 }))
      .map(([netCents, feeCents]) => {
        const taken = takeFromEscrow({ reference: 'taken', sellerId: SELLER, netCents, feeCents });
        return taken ? [taken] : [];
      }),
    cents.map((one) => recoverClaim('du_1:1', SELLER, one)),
    fc
      .tuple(cents, fc.boolean())
      .map(([one, isOwed]) => settleClaimBy('bank', 'du_1:1', SELLER, isOwed ? one : -one)),
  ),
);

const legOf = ({ legs }: Posting, account: string): number =>
  legs.find((leg) => leg.account === account)?.amountCents ?? 0;

/** As the books tell it of a posting. */
const factsOf = (posting: Posting): KindTotal => ({
  kind: posting.kind,
  isOfBank: posting.legs.some(({ account }) => account === 'chargebacks'),
  isRestored: posting.kind === 'capture' && posting.reference.length > 36,
  count: 1,
  amountCents: legOf(posting, escrowAccount(SELLER)),
  feeCents: legOf(posting, 'fees'),
});

describe('the totals of a statement', () => {
  it('add up, whatever happened: sales less refunds, fees and payouts, with adjustments, are what the escrow changed by', () => {
    fc.assert(
      fc.property(postings, (drawn) => {
        const kinds = drawn.flat().map(factsOf);
        const change = kinds.reduce((sum, { amountCents }) => sum + amountCents, 0);
        const { grossSalesCents, refundCents, feeCents, adjustmentCents, payoutCents } = totalsOfKinds(
          kinds,
          0,
        );
        expect(grossSalesCents - refundCents - feeCents + adjustmentCents - payoutCents).toBe(change);
      }),
    );
  });

  it('count a refund that failed as none, and a sale that a bank gave back as sold once', () => {
    const one: Sale = {
      ...{ purchaseId: 'p'.repeat(36), amountCents: 1000, platformFeeCents: 50 },
      sellerId: SELLER,
      payerAccount: 'card_clearing',
    };
    const failed = [capture(one), refund(one), restore(one, 'payer')];
    const won = [capture(one), refund(one, 'chargebacks'), restore(one, 'chargebacks')];
    for (const all of [failed, won])
      expect(totalsOfKinds(all.map(factsOf), 0)).toEqual({
        adjustmentCents: 0,
        feeCents: 50,
        grossSalesCents: 1000,
        payoutCents: 0,
        payoutGasCents: 0,
        refundCents: 0,
        refunds: 0,
        sales: 1,
      });
  });
});

describe('a line of a statement', () => {
  it.each([
    ['sale', 'R', capture],
    ['refund', 'C', (one: Sale) => refund(one)],
    ['chargeback', 'B', (one: Sale) => refund(one, 'chargebacks')],
    ['payout', 'P', (one: Sale) => payout(one)],
    ['reversal', 'V', (one: Sale) => returnPayout(one, 'tr_1')],
  ] as const)('says what it is: %s, %s', (kind, letter, postingOf) => {
    const one: Sale = {
      purchaseId: 'p'.repeat(36),
      amountCents: 1000,
      platformFeeCents: 50,
      sellerId: SELLER,
      payerAccount: 'card_clearing',
    };
    const line = lineOfEntry({
      ...factsOf(postingOf(one)),
      entryId: 7,
      purchaseId: one.purchaseId,
      balanceCents: 0,
      createdAt: '2026-06-01T12:00:00.000Z',
      listingTitle: null,
    });
    expect([line.kind, line.number]).toEqual([kind, `${letter}-00000007`]);
  });
});
