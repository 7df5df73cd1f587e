import { expect, it } from 'vitest';
import { publishedFeeCents } from './published-fee.ts';
import { judgeSale, type MoneySeen, type PublishedPurchase, type SaleExpectation } from './sale-judgement.ts';

// The oracle finds what it is there for.

const SALE: PublishedPurchase = {
  id: 'sale',
  sellerId: 'seller',
  status: 'released',
  rail: 'card',
  amountCents: 3000,
  platformFeeCents: 150,
  feeScheduleVersion: 1,
  receipt: { statement: { amountCents: 3000 } },
};
const MONEY: MoneySeen = {
  chargedCents: 3000,
  refundedCents: 0,
  withdrawnCents: 0,
  wonCents: 0,
  withdrawnBeforePayoutCents: 0,
  withdrawnUnderWayCents: 0,
  lostAfterPayoutCents: 0,
  wonAfterPayoutCents: 0,
  takenBackCents: 0,
  isReserved: false,
  payouts: [2850],
};
const REFUNDED = { status: 'refunded', receipt: null };
const GIVEN_BACK = { refundedCents: 3000, payouts: [] };

const judge = (
  sale: Partial<PublishedPurchase>,
  money: Partial<MoneySeen>,
  more: Partial<SaleExpectation> = {},
) =>
  judgeSale(
    { ...SALE, ...sale },
    { ...MONEY, ...money },
    { feeCents: 150, clawbackCents: 0, wasShown: true, ...more },
  );

it.each<[string, Partial<PublishedPurchase>, Partial<MoneySeen>]>([
  ['a sale that was paid out', {}, {}],
  ['one that was refunded', REFUNDED, GIVEN_BACK],
  ['one whose bank took the money', REFUNDED, { withdrawnCents: 3000, payouts: [] }],
  ['one whose banks took more than its price', REFUNDED, { withdrawnCents: 4410, payouts: [] }],
  [
    'a third of it lost before the payout',
    {},
    { withdrawnCents: 1000, withdrawnBeforePayoutCents: 1000, payouts: [1900] },
  ],
  [
    'one whose bank took the money while it was being paid out',
    {},
    { withdrawnCents: 3000, withdrawnBeforePayoutCents: 3000, withdrawnUnderWayCents: 3000 },
  ],
  [
    'one whose bank took the money before it was paid out, and gave it back',
    {},
    { withdrawnCents: 0, withdrawnBeforePayoutCents: 3000 },
  ],
  ['one that a wallet paid for', { rail: 'wallet' }, { chargedCents: 0 }],
])('is content with %s', (_name, sale, money) => {
  expect(judge(sale, money)).toEqual([]);
});

it.each<[string, Partial<PublishedPurchase>, Partial<MoneySeen>]>([
  ['a refund that was made twice', REFUNDED, { ...GIVEN_BACK, refundedCents: 6000 }],
  ['a refund of what a bank took', REFUNDED, { ...GIVEN_BACK, withdrawnCents: 1500 }],
  ['a refund that was never made', REFUNDED, { payouts: [] }],
  ['a refund of a sale that was paid out', REFUNDED, { refundedCents: 3000 }],
  ['a payout with the fee in it', {}, { payouts: [3000] }],
  ['a payout that is a cent short', {}, { payouts: [2849] }],
  ['a payout that was made twice', {}, { payouts: [2850, 2850] }],
  ['a payout that was never made', {}, { payouts: [] }],
  ['a payout of what is held', { status: 'held' }, {}],
  [
    'a payout of all where a third was lost before',
    {},
    { withdrawnCents: 1000, withdrawnBeforePayoutCents: 1000 },
  ],
  ['content that nobody was charged for', {}, { chargedCents: 0 }],
  ['a charge of another price', {}, { chargedCents: 3001 }],
  [
    'money that stays reserved',
    { status: 'expired', receipt: null },
    { chargedCents: 0, isReserved: true, payouts: [] },
  ],
  ['a sale that never ends', { status: 'authorized' }, { payouts: [] }],
  ['another fee than was published', { platformFeeCents: 151 }, {}],
  ['a paid sale without a receipt', { receipt: null }, {}],
  ['a card charged for what a wallet pays', { rail: 'wallet' }, {}],
])('finds %s', (_name, sale, money) => {
  expect(judge(sale, money)).not.toEqual([]);
});

it('lets a payout lack what banks took of sales that were paid before, and have what they gave back', () => {
  const bears = { claimedCents: 1000 };
  expect(judge({}, { payouts: [1850] }, bears)).toEqual([]);
  expect(judge({}, { payouts: [] }, { claimedCents: 2850 })).toEqual([]);
  expect(judge({}, { payouts: [1849] }, bears)).not.toEqual([]);
  expect(judge({}, { payouts: [3850] }, { givenBackCents: 1000 })).toEqual([]);
  expect(judge({}, { payouts: [3851] }, { givenBackCents: 1000 })).not.toEqual([]);
});

it('computes the fee of every band from the published schedule', () => {
  const bands = {
    microUnderCents: 2000,
    standardBps: 500,
    highTicketAtCents: 100_000,
    highTicketBps: 300,
    highTicketFloorCents: 5000,
    highTicketCapCents: 50_000,
  };
  const fees = [1999, 2000, 2019, 99_999, 100_000, 200_000, 9_999_999].map((price) =>
    publishedFeeCents({ version: 1, bands }, price),
  );
  expect(fees).toEqual([0, 100, 100, 4999, 5000, 6000, 50_000]);
});
