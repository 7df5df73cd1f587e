import { RECONCILIATION_PREFIX } from '@agent-marketplace/protocol/reconciliation-prefix.ts';
import { PAYMENT_RAILS, type PaymentRail } from '../kernel/spend-policy.ts';

/** What stands in `party` of a ledger row. */
export const PARTIES = [
  'affiliated',
  'arms_length',
  'house_buyer',
  'house_seller',
  'internal',
  'self_sale',
  'unclassified',
] as const;
export type Party = (typeof PARTIES)[number];

export const RAILS = PAYMENT_RAILS.toSorted();
export type Rail = PaymentRail;

export type SaleStatus = 'held' | 'releasing' | 'released';

/**
 * What is known of the two parties of a row. `anonymous`: bought without an account, so that nobody can say
 * it was not the seller. `apart`: nothing known relates them; `arms_length`: others have dealt with both as well.
 */
export type PartyClass = Exclude<Party, 'unclassified'> | 'anonymous' | 'apart';

/** All settled rows that are alike, summed up. */
export interface Cell {
  readonly rail: Rail;
  readonly status: SaleStatus;
  readonly class: PartyClass;
  readonly isReference: boolean;
  readonly isPaid: boolean;
  readonly sales: number;
  readonly grossCents: number;
  readonly feeCents: number;
}

/**
 * The party as it is shown. As long as the operator has not said that its own agents and the related ones
 * are all designated, nobody is known to be at arm's length.
 */
export function partyOf(partyClass: PartyClass, isConfigured: boolean): Party {
  switch (partyClass) {
    case 'anonymous':
    case 'apart':
      return 'unclassified';
    case 'arms_length':
      return isConfigured ? 'arms_length' : 'unclassified';
    case 'house_buyer':
    case 'house_seller':
    case 'internal':
    case 'affiliated':
    case 'self_sale':
      return partyClass;
  }
}

const salesOf = ({ sales }: Cell) => sales;
const grossOf = ({ grossCents }: Cell) => grossCents;
const feeOf = ({ feeCents }: Cell) => feeCents;
const netOf = ({ grossCents, feeCents }: Cell) => grossCents - feeCents;

function sum(
  cells: readonly Cell[],
  of: (cell: Cell) => number,
  where: (cell: Cell) => boolean = () => true,
): number {
  return cells.reduce((all, cell) => (where(cell) ? all + of(cell) : all), 0);
}

export interface Distinct {
  readonly buyers: number;
  readonly sellers: number;
}

/** Totals of the contract, members in canonical order. */
export function totalsOf(cells: readonly Cell[], distinct: Distinct) {
  const referenceListingRows = sum(cells, salesOf, ({ isReference }) => isReference);
  const settledRows = sum(cells, salesOf);
  return {
    distinctBuyers: distinct.buyers,
    distinctSellers: distinct.sellers,
    grossCents: sum(cells, grossOf),
    paidRows: sum(cells, salesOf, ({ isPaid }) => isPaid),
    platformFeeCents: sum(cells, feeOf),
    referenceListingRows,
    settledRows,
    settledSales: settledRows - referenceListingRows,
    zeroAmountRows: sum(cells, salesOf, ({ isPaid }) => !isPaid),
  };
}

/** How many rows each rail and each party has, among the paid ones and among all. */
export function breakdownsOf(cells: readonly Cell[], isConfigured: boolean) {
  const paid = cells.filter(({ isPaid }) => isPaid);
  const byRail = (of: readonly Cell[]) => countBy(RAILS, of, ({ rail }) => rail);
  const byParty = (of: readonly Cell[]) => countBy(PARTIES, of, (cell) => partyOf(cell.class, isConfigured));
  return {
    byParty: byParty(paid),
    byPartyAllRows: byParty(cells),
    byRail: byRail(paid),
    byRailAllRows: byRail(cells),
  };
}

function countBy<K extends string>(
  keys: readonly K[],
  cells: readonly Cell[],
  keyOf: (cell: Cell) => K,
): Record<K, number> {
  const counted = keys.map((key) => [key, sum(cells, salesOf, (cell) => keyOf(cell) === key)]);
  return Object.fromEntries(counted) as Record<K, number>;
}

/** Where the sellers' shares are: what they get, without the fee. */
export function escrowOf(cells: readonly Cell[]) {
  const isIn = (status: SaleStatus) => (cell: Cell) => cell.status === status;
  return {
    heldCents: sum(cells, netOf, isIn('held')),
    heldRows: sum(cells, salesOf, isIn('held')),
    releasedCents: sum(cells, netOf, isIn('released')),
    releasedRows: sum(cells, salesOf, isIn('released')),
    releasingCents: sum(cells, netOf, isIn('releasing')),
    releasingRows: sum(cells, salesOf, isIn('releasing')),
  };
}

export function armsLengthCentsOf(cells: readonly Cell[], isConfigured: boolean): number {
  return sum(cells, grossOf, (cell) => partyOf(cell.class, isConfigured) === 'arms_length');
}

const RAILS_ON_CHAIN: ReadonlySet<Rail> = new Set(['x402']);

/** Settled rows whose payment anyone can look up where it was made: on a public chain. */
export function externallySignedOf(cells: readonly Cell[]): number {
  return sum(cells, salesOf, ({ rail, isPaid }) => RAILS_ON_CHAIN.has(rail) && isPaid);
}

/** The same three sums as the double entries have them. */
export interface LedgerFigures {
  readonly escrowCents: number;
  readonly feesCents: number;
  readonly payoutsCents: number;
}

/** Whether rows and double entries agree, as a sentence. */
export function reconciliationOf(cells: readonly Cell[], ledger: LedgerFigures): string {
  const { heldCents, releasingCents, releasedCents } = escrowOf(cells);
  const pairs = [
    ["sellers' shares in escrow", heldCents + releasingCents, ledger.escrowCents],
    ['platform fees', sum(cells, feeOf), ledger.feesCents],
    ["sellers' shares paid out", releasedCents, ledger.payoutsCents],
  ] as const;
  const different = pairs.filter(([, rows, entries]) => rows !== entries);
  if (different.length === 0) {
    const figures = pairs.map(([name, cents]) => `${name} ${cents} cents`).join(', ');
    return `${RECONCILIATION_PREFIX}: ${figures}.`;
  }
  const figures = different.map(
    ([name, rows, entries]) => `${name} are ${rows} cents by the rows and ${entries} cents by the entries`,
  );
  return `Does not agree with the double-entry ledger: ${figures.join('; ')}.`;
}
