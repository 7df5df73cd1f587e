import { describe, expect, it } from 'vitest';
import { findDifferences, type Row, type Totals } from './find-differences.ts';

const row = (changes: Partial<Row>): Row => ({
  id: crypto.randomUUID(),
  amountCents: 2600,
  buyer: 'buyer-1',
  change: null,
  createdAt: '2026-06-01T12:00:00.000Z',
  isReferenceListing: false,
  party: 'unclassified',
  platformFeeCents: 130,
  rail: 'wallet',
  seller: 'seller-1',
  settlement: null,
  statementDigest: null,
  status: 'held',
  verticalName: 'Weather',
  verticalSlug: 'weather',
  ...changes,
});

const ROWS = [
  row({}),
  row({ rail: 'x402', buyer: 'anonymous', status: 'released', amountCents: 3, platformFeeCents: 0 }),
  row({
    amountCents: 0,
    platformFeeCents: 0,
    rail: 'checkout',
    isReferenceListing: true,
    party: 'house_seller',
  }),
];
const RAILS = { card: 0, checkout: 0, wallet: 1, x402: 1 };
const PARTIES = {
  affiliated: 0,
  arms_length: 0,
  house_buyer: 0,
  house_seller: 0,
  internal: 0,
  self_sale: 0,
  unclassified: 2,
};
const SAID: Totals = {
  armsLengthCents: 0,
  byParty: PARTIES,
  byPartyAllRows: { ...PARTIES, house_seller: 1 },
  byRail: RAILS,
  byRailAllRows: { ...RAILS, checkout: 1 },
  escrow: {
    heldCents: 2470,
    heldRows: 2,
    note: '',
    releasedCents: 3,
    releasedRows: 1,
    releasingCents: 0,
    releasingRows: 0,
  },
  externallySigned: 1,
  totals: {
    distinctBuyers: 1,
    distinctSellers: 1,
    grossCents: 2603,
    paidRows: 2,
    platformFeeCents: 130,
    referenceListingRows: 1,
    settledRows: 3,
    settledSales: 2,
    zeroAmountRows: 1,
  },
};

describe('totals of the open books', () => {
  it('follow from the rows', () => {
    expect(findDifferences(SAID, ROWS)).toEqual([]);
  });

  it('that do not are named, with both figures', () => {
    const inflated = { ...SAID, totals: { ...SAID.totals, grossCents: 9999 } };
    expect(findDifferences(inflated, ROWS)).toEqual([{ total: 'grossCents', claimed: 9999, fromRows: 2603 }]);
  });

  it('notice each row that is left out', () => {
    for (const left of ROWS)
      expect(
        findDifferences(
          SAID,
          ROWS.filter((one) => one !== left),
        ),
      ).not.toEqual([]);
  });

  it('may know of more accounts than there are labels, never of fewer', () => {
    const sellers = (distinctSellers: number) => ({ ...SAID, totals: { ...SAID.totals, distinctSellers } });
    expect(findDifferences(sellers(2), ROWS)).toEqual([]);
    expect(findDifferences(sellers(0), ROWS)).toEqual([
      { total: 'distinctSellers', claimed: 0, fromRows: 1 },
    ]);
  });
});
