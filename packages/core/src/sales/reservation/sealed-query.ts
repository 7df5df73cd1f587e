import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Ids } from '../../kernel/ports/ids.ts';
import { openText, SEAL_IV_BYTES, sealText } from '../../kernel/sealed-text.ts';
import type { Sale, SealedQuery } from '../sale.ts';

const KEY_BYTES = 16;

const contextOf = (purchaseId: string): string => `purchase_query\n${purchaseId}`;

/** What a link carries and nothing stored has: 32 hexadecimal digits. */
export function newQueryKey(ids: Ids): string {
  return toHex(ids.randomBytes(KEY_BYTES));
}

/** Seals the query of a purchase without a key. Purchases with one have their query in their account's own rows. */
export async function sealQuery(ids: Ids, sale: Sale, queryKey: string | null): Promise<Sale> {
  const { id, buyerId, query } = sale;
  if (buyerId !== null || query === null) return sale;
  if (queryKey === null) throw new Error(`Nothing would open the query of purchase ${id}.`);
  const iv = ids.randomBytes(SEAL_IV_BYTES) as Uint8Array<ArrayBuffer>;
  const [digest, text] = await Promise.all([
    canonicalDigest(query),
    sealText(JSON.stringify(query), queryKey, contextOf(id), iv),
  ]);
  const sealedQuery: SealedQuery = { digest, text };
  return { ...sale, sealedQuery };
}

/** The sale with the query that its seller is asked; null: this key does not open it. */
export async function openQuery(sale: Sale, queryKey: string | null): Promise<Sale | null> {
  if (!isSealed(sale) || sale.sealedQuery === null) return sale;
  const opened = queryKey && (await openText(sale.sealedQuery.text, queryKey, contextOf(sale.id)));
  return opened ? { ...sale, query: JSON.parse(opened) as JsonObject } : null;
}

function isSealed({ query, sealedQuery }: Pick<Sale, 'query' | 'sealedQuery'>): boolean {
  return query === null && sealedQuery !== null;
}

/** What the seller is asked. Asked without the query that was bought, it would answer something else. */
export function queryToAsk(sale: Sale): JsonObject | null {
  if (isSealed(sale)) throw new Error(`The query of purchase ${sale.id} is sealed.`);
  return sale.query;
}

/** What a receipt says of the query: it can be signed by whoever cannot read it. */
export async function queryDigestOf({ query, sealedQuery }: Sale): Promise<string> {
  return sealedQuery?.digest ?? canonicalDigest(query ?? {});
}
