import type { Operations } from '@agent-marketplace/sdk';

type Books = Operations['getDemandLedger']['output'];
export type Row = Books['ledger'][number];
export type Totals = Pick<
  Books,
  | 'totals'
  | 'byRail'
  | 'byRailAllRows'
  | 'byParty'
  | 'byPartyAllRows'
  | 'escrow'
  | 'armsLengthCents'
  | 'externallySigned'
>;

/** A total that does not match the rows. */
export interface Difference {
  readonly total: string;
  readonly claimed: number;
  readonly fromRows: number;
}

/**
 * Recomputes every total from all rows. Two accounts may share one public name, so the numbers of sellers and
 * buyers may be greater than the number of names, but never smaller.
 */
export function findDifferences(totals: Totals, rows: readonly Row[]): Difference[] {
  const paid = rows.filter(({ amountCents }) => amountCents > 0);
  const references = rows.filter(({ isReferenceListing }) => isReferenceListing).length;
  const exact: [string, number, number][] = [
    ['settledRows', totals.totals.settledRows, rows.length],
    ['referenceListingRows', totals.totals.referenceListingRows, references],
    ['settledSales', totals.totals.settledSales, rows.length - references],
    ['paidRows', totals.totals.paidRows, paid.length],
    ['zeroAmountRows', totals.totals.zeroAmountRows, rows.length - paid.length],
    ['grossCents', totals.totals.grossCents, sum(rows, ({ amountCents }) => amountCents)],
    ['platformFeeCents', totals.totals.platformFeeCents, sum(rows, (row) => row.platformFeeCents)],
    ['externallySigned', totals.externallySigned, paid.filter(({ rail }) => rail === 'x402').length],
    [
      'armsLengthCents',
      totals.armsLengthCents,
      sum(rows, ({ party, amountCents }) => (party === 'arms_length' ? amountCents : 0)),
    ],
    ...byClass('byRail', { ...totals.byRail }, paid, ({ rail }) => rail),
    ...byClass('byRailAllRows', { ...totals.byRailAllRows }, rows, ({ rail }) => rail),
    ...byClass('byParty', { ...totals.byParty }, paid, ({ party }) => party),
    ...byClass('byPartyAllRows', { ...totals.byPartyAllRows }, rows, ({ party }) => party),
    ...(['held', 'releasing', 'released'] as const).flatMap((status) => {
      const inIt = rows.filter((row) => row.status === status);
      return [
        [`${status}Rows`, totals.escrow[`${status}Rows`], inIt.length] as [string, number, number],
        [
          `${status}Cents`,
          totals.escrow[`${status}Cents`],
          sum(inIt, (row) => row.amountCents - row.platformFeeCents),
        ] as [string, number, number],
      ];
    }),
  ];
  const labels = (of: readonly string[]) => new Set(of).size;
  const sellers = labels(rows.map(({ seller }) => seller));
  const buyers = labels(rows.map(({ buyer }) => buyer).filter((buyer) => buyer !== 'anonymous'));
  const atLeast: [string, number, number][] = [
    ['distinctSellers', totals.totals.distinctSellers, sellers],
    ['distinctBuyers', totals.totals.distinctBuyers, buyers],
  ];
  return [
    ...exact.filter(([, total, fromRows]) => total !== fromRows),
    ...atLeast.filter(([, total, fromRows]) => total < fromRows),
  ].map(([total, claimed, fromRows]) => ({ total, claimed, fromRows }));
}

function byClass(
  name: string,
  totals: Readonly<Record<string, number>>,
  rows: readonly Row[],
  classOf: (row: Row) => string,
): [string, number, number][] {
  const classes = new Set([...Object.keys(totals), ...rows.map(classOf)]);
  return [...classes].map((one) => [
    `${name}.${one}`,
    totals[one] ?? 0,
    rows.filter((row) => classOf(row) === one).length,
  ]);
}

function sum(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
