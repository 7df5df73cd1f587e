import type { GetDemandLedgerOutput } from '../generated/api.ts';

/** What one settlement adds to the totals. */
export interface CountedSale {
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly rail: string;
  readonly status: string;
  readonly party: string;
  readonly isReferenceListing: boolean;
  /** Null: its records ended, and it is not told any more whose it was, and when. */
  readonly whose: { readonly seller: string; readonly buyer: string; readonly createdAt: string } | null;
}

const PARTIES = [
  'affiliated',
  'arms_length',
  'house_buyer',
  'house_seller',
  'internal',
  'self_sale',
  'unclassified',
] as const;
const RAILS = ['card', 'checkout', 'wallet', 'x402'] as const;

/** Every total of the ledger that follows from its rows, under the names that its answer has. */
export type DemandTotals = Pick<
  GetDemandLedgerOutput,
  | 'armsLengthCents'
  | 'byParty'
  | 'byPartyAllRows'
  | 'byRail'
  | 'byRailAllRows'
  | 'externallySigned'
  | 'totals'
  | 'window'
> & { readonly escrow: Omit<GetDemandLedgerOutput['escrow'], 'note'> };

export function recomputeDemandTotals(sales: readonly CountedSale[]): DemandTotals {
  const sum = (of: (sale: CountedSale) => number, where: (sale: CountedSale) => boolean = () => true) =>
    sales.reduce((all, sale) => (where(sale) ? all + of(sale) : all), 0);
  const one = () => 1;
  const amount = ({ amountCents }: CountedSale) => amountCents;
  const fee = ({ platformFeeCents }: CountedSale) => platformFeeCents;
  const share = (sale: CountedSale) => amount(sale) - fee(sale);
  const isPaid = (sale: CountedSale) => sale.amountCents > 0;
  const countBy = <K extends string>(keys: readonly K[], member: 'party' | 'rail', paidOnly: boolean) =>
    Object.fromEntries(
      keys.map((key) => [key, sum(one, (sale) => sale[member] === key && (isPaid(sale) || !paidOnly))]),
    ) as Record<K, number>;
  const isIn = (status: string) => (sale: CountedSale) => sale.status === status;
  const known = sales.flatMap(({ whose }) => (whose === null ? [] : [whose]));
  const times = known.map(({ createdAt }) => createdAt).sort();
  const buyers = known.map(({ buyer }) => buyer).filter((buyer) => buyer !== 'anonymous');
  const settledRows = sales.length;
  const referenceListingRows = sum(one, ({ isReferenceListing }) => isReferenceListing);
  return {
    armsLengthCents: sum(amount, ({ party }) => party === 'arms_length'),
    byParty: countBy(PARTIES, 'party', true),
    byPartyAllRows: countBy(PARTIES, 'party', false),
    byRail: countBy(RAILS, 'rail', true),
    byRailAllRows: countBy(RAILS, 'rail', false),
    escrow: {
      heldCents: sum(share, isIn('held')),
      heldRows: sum(one, isIn('held')),
      releasedCents: sum(share, isIn('released')),
      releasedRows: sum(one, isIn('released')),
      releasingCents: sum(share, isIn('releasing')),
      releasingRows: sum(one, isIn('releasing')),
    },
    externallySigned: sum(one, (sale) => sale.rail === 'x402' && isPaid(sale)),
    totals: {
      distinctBuyers: new Set(buyers).size,
      distinctSellers: new Set(known.map(({ seller }) => seller)).size,
      grossCents: sum(amount),
      paidRows: sum(one, isPaid),
      platformFeeCents: sum(fee),
      referenceListingRows,
      settledRows,
      settledSales: settledRows - referenceListingRows,
      zeroAmountRows: sum(one, (sale) => !isPaid(sale)),
    },
    window: { first: times[0] ?? null, last: times.at(-1) ?? null },
  };
}
