import { readSigned } from './read-signed.ts';
import type { TestMarketplace } from './workers-harness.ts';

export interface ShownRow {
  readonly id: string;
  readonly seller: string;
  readonly buyer: string;
  readonly verticalName: string;
  readonly verticalSlug: string;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly rail: string;
  readonly status: string;
  readonly isReferenceListing: boolean;
  readonly party: string;
  readonly createdAt: string;
}

export type ShownLedger = Record<string, unknown> & {
  readonly ledger: readonly ShownRow[];
  readonly nextCursor: string | null;
};

type Market = Pick<TestMarketplace, 'request'>;

/** The answer of GET /proof/demand with the rows of all pages, its provenance checked on each. */
export async function readWholeLedger(market: Market, limit = 1000): Promise<ShownLedger> {
  const rows: ShownRow[] = [];
  let first: ShownLedger | null = null;
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: ShownLedger = await readJson<ShownLedger>(market, `/proof/demand?limit=${limit}${next}`);
    if (page.ledger.length > limit) throw new Error(`a page of ${page.ledger.length} rows`);
    rows.push(...page.ledger);
    first ??= page;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return { ...first, ledger: rows, nextCursor: null };
}

export async function readJson<Body = Record<string, unknown>>(market: Market, path: string): Promise<Body> {
  const response = await market.request('GET', path);
  const { body, text } = await readSigned(response);
  if (response.status !== 200) throw new Error(text);
  return body as Body;
}

const PARTIES = [
  'affiliated',
  'arms_length',
  'house_buyer',
  'house_seller',
  'internal',
  'self_sale',
  'unclassified',
];
const RAILS = ['card', 'checkout', 'wallet', 'x402'];

/** What docs/demand-ledger.md says follows from the rows, in a few lines of code that share none with the product. */
export function recompute(rows: readonly ShownRow[]) {
  const count = (of: readonly ShownRow[], keys: readonly string[], field: 'party' | 'rail') =>
    Object.fromEntries(keys.map((key) => [key, of.filter((row) => row[field] === key).length]));
  const cents = (of: readonly ShownRow[]) => of.reduce((sum, row) => sum + row.amountCents, 0);
  const fees = (of: readonly ShownRow[]) => of.reduce((sum, row) => sum + row.platformFeeCents, 0);
  const paid = rows.filter(({ amountCents }) => amountCents > 0);
  const references = rows.filter(({ isReferenceListing }) => isReferenceListing).length;
  const known = rows.filter(({ buyer }) => buyer !== 'anonymous');
  const escrow = ['held', 'releasing', 'released'].flatMap((status) => {
    const inIt = rows.filter((row) => row.status === status);
    return [
      [`${status}Rows`, inIt.length],
      [`${status}Cents`, cents(inIt) - fees(inIt)],
    ];
  });
  const times = rows.map(({ createdAt }) => createdAt).sort();
  return {
    totals: {
      settledRows: rows.length,
      settledSales: rows.length - references,
      referenceListingRows: references,
      paidRows: paid.length,
      zeroAmountRows: rows.length - paid.length,
      grossCents: cents(rows),
      platformFeeCents: fees(rows),
      // By label: labels are the accounts' own, unless two chose one public name.
      distinctBuyers: new Set(known.map(({ buyer }) => buyer)).size,
      distinctSellers: new Set(rows.map(({ seller }) => seller)).size,
    },
    byRail: count(paid, RAILS, 'rail'),
    byRailAllRows: count(rows, RAILS, 'rail'),
    byParty: count(paid, PARTIES, 'party'),
    byPartyAllRows: count(rows, PARTIES, 'party'),
    escrow: Object.fromEntries(escrow) as Record<string, number>,
    armsLengthCents: cents(rows.filter(({ party }) => party === 'arms_length')),
    externallySigned: paid.filter(({ rail }) => rail === 'x402').length,
    window: { first: times[0] ?? null, last: times.at(-1) ?? null },
  };
}
