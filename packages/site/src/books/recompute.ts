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

/** What the totals say, and what the rows say in their place: for each total where these differ. */
export interface Difference {
  readonly total: string;
  readonly said: number;
  readonly fromRows: number;
}

/**
 * Makes every total anew from all rows. Who sold and bought is told from the labels: two accounts may have one
 * public name, so these two totals may be greater than the labels tell, and never smaller.
 */
export function differences(said: Totals, rows: readonly Row[]): Difference[] {
  const paid = rows.filter(({ amountCents }) => amountCents > 0);
  const references = rows.filter(({ isReferenceListing }) => isReferenceListing).length;
  const counted: [string, number, number][] = [
    ['settledRows', said.totals.settledRows, rows.length],
    ['referenceListingRows', said.totals.referenceListingRows, references],
    ['settledSales', said.totals.settledSales, rows.length - references],
    ['paidRows', said.totals.paidRows, paid.length],
    ['zeroAmountRows', said.totals.zeroAmountRows, rows.length - paid.length],
    ['grossCents', said.totals.grossCents, sum(rows, ({ amountCents }) => amountCents)],
    ['platformFeeCents', said.totals.platformFeeCents, sum(rows, (row) => row.platformFeeCents)],
    ['externallySigned', said.externallySigned, paid.filter(({ rail }) => rail === 'x402').length],
    [
      'armsLengthCents',
      said.armsLengthCents,
      sum(rows, ({ party, amountCents }) => (party === 'arms_length' ? amountCents : 0)),
    ],
    ...byClass('byRail', said.byRail, paid, ({ rail }) => rail),
    ...byClass('byRailAllRows', said.byRailAllRows, rows, ({ rail }) => rail),
    ...byClass('byParty', said.byParty, paid, ({ party }) => party),
    ...byClass('byPartyAllRows', said.byPartyAllRows, rows, ({ party }) => party),
    ...(['held', 'releasing', 'released'] as const).flatMap((status) => {
      const inIt = rows.filter((row) => row.status === status);
      return [
        [`${status}Rows`, said.escrow[`${status}Rows`], inIt.length] as [string, number, number],
        [
          `${status}Cents`,
          said.escrow[`${status}Cents`],
          sum(inIt, (row) => row.amountCents - row.platformFeeCents),
        ] as [string, number, number],
      ];
    }),
  ];
  const labels = (of: readonly string[]) => new Set(of).size;
  const sellers = labels(rows.map(({ seller }) => seller));
  const buyers = labels(rows.map(({ buyer }) => buyer).filter((buyer) => buyer !== 'anonymous'));
  const atLeast: [string, number, number][] = [
    ['distinctSellers', said.totals.distinctSellers, sellers],
    ['distinctBuyers', said.totals.distinctBuyers, buyers],
  ];
  return [
    ...counted.filter(([, total, fromRows]) => total !== fromRows),
    ...atLeast.filter(([, total, fromRows]) => total < fromRows),
  ].map(([total, value, fromRows]) => ({ total, said: value, fromRows }));
}

function byClass(
  name: string,
  said: Readonly<Record<string, number>>,
  rows: readonly Row[],
  classOf: (row: Row) => string,
): [string, number, number][] {
  const classes = new Set([...Object.keys(said), ...rows.map(classOf)]);
  return [...classes].map((one) => [
    `${name}.${one}`,
    said[one] ?? 0,
    rows.filter((row) => classOf(row) === one).length,
  ]);
}

function sum(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
