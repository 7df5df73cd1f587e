import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import type { KeySet } from '../keys.ts';
import { type AuditChainVerification, verifyAuditChain } from '../verify/audit-chain.ts';
import { verifyAffiliatedRow, verifyDemandRow } from '../verify/demand-row.ts';
import {
  type ListingHistoryVerification,
  verifyHistoryEntry,
  verifyListingHistory,
} from '../verify/listing-history.ts';
import { verifyDeliveredContent, verifyPurchaseReceipt } from '../verify/purchase-receipt.ts';
import { verifyRatingAttestation } from '../verify/rating-attestation.ts';
import { verifyResponse } from '../verify/response.ts';
import { verifyStatement } from '../verify/statement.ts';
import { invalid, MAX_DEPTH, type Verification } from '../verify/verification.ts';

/** Something signed in a document, and whether it is valid. */
export interface SignedPart {
  readonly what:
    | 'response'
    | 'purchase'
    | 'rating'
    | 'listing history'
    | 'history entry'
    | 'audit chain'
    | 'demand row'
    | 'affiliated row'
    | 'statement';
  /** Where it is, such as `ratings[3]`; empty: the document itself. */
  readonly path: string;
  readonly verification:
    | Verification<{ readonly content?: 'matches' | 'absent'; readonly purchase?: 'matches' | 'unknown' }>
    | ListingHistoryVerification
    | AuditChainVerification;
  /** Each with `digest`, `keyId` and `signedAt`, as it may stand in the log; none: an answer, which stands in no log. */
  readonly signed: readonly JsonObject[];
}

/**
 * What buyers and sellers wrote: somebody else may have signed something in it, which is nothing that the marketplace said.
 */
const FOREIGN: ReadonlySet<string> = new Set([
  'content',
  'contextTags',
  'exampleQuery',
  'inputSchema',
  'outputSchema',
  'preview',
  'provenance',
  'query',
]);

/**
 * Checks everything in an answer of the marketplace that it signed, without network: the answer, and each receipt, rating,
 * row, entry and other statement in it, in lists as well, with what is said beside it. One that is not valid makes the
 * document one not to be believed.
 *
 * @param document as text (preferred, since duplicate keys are detected) or parsed.
 * @returns empty: nothing in it is signed by a marketplace.
 */
export async function verifyDocument(
  document: string | object,
  keys: KeySet,
): Promise<readonly SignedPart[]> {
  const parts: SignedPart[] = [];
  const parsed = typeof document === 'string' ? parseStrictJson(document, { maxDepth: MAX_DEPTH }) : null;
  const value = parsed === null ? document : parsed.ok ? parsed.value : undefined;
  if (value === undefined) await add('response', '', verifyResponse(document, keys), []);
  if (!isJsonObject(value)) return parts;

  async function add(
    what: SignedPart['what'],
    path: string,
    verification: Promise<SignedPart['verification']>,
    signed: readonly unknown[],
  ): Promise<void> {
    parts.push({ what, path, verification: await verification, signed: signed.filter(isJsonObject) });
  }

  /** @param about the listing that all of it is of. */
  async function visit(one: JsonObject, path: string, about: Json | undefined): Promise<void> {
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    const listingId = one.listingId ?? about;
    const { receipt, attestation, settlement, change, entries, actions, ratings } = one;
    const known = new Set(FOREIGN);
    const take = (...names: string[]) => {
      for (const name of names) known.add(name);
    };
    if (isStatement(one)) return add('statement', path, verifyStatementOf(one, keys), [one]);
    if (isEntry(one)) return add('history entry', path, verifyHistoryEntry(one, keys), [entryOf(one)]);
    if (isJsonObject(receipt) && 'merchant' in one) {
      take('receipt');
      await add('affiliated row', path, verifyAffiliatedRow(one, keys), [receipt]);
    } else if (isJsonObject(receipt) && 'contentDigest' in one) {
      take('receipt');
      await add('purchase', path, verifyPurchaseReceipt(one, keys), [receipt]);
    } else if (isStatement(receipt) && 'content' in one) {
      take('receipt');
      await add('statement', at('receipt'), verifyDeliveredContent(one, receipt, keys), [receipt]);
    }
    if (isStatement(settlement) || isStatement(change) || typeof one.statementDigest === 'string') {
      take('settlement', 'change');
      await add('demand row', path, verifyDemandRow(one, keys), [settlement, change]);
    }
    if (isJsonObject(attestation) && 'rating' in one) {
      take('attestation');
      const rating = listingId === undefined ? one : { ...one, listingId };
      await add('rating', path, verifyRatingAttestation(rating, keys), [attestation]);
    }
    if (Array.isArray(ratings)) {
      // Each must show its attestation: one without it would count for as much as the others.
      for (const [index, rating] of ratings.entries())
        if (!isJsonObject(rating) || !isJsonObject(rating.attestation))
          await add('rating', at(`ratings[${index}]`), NO_ATTESTATION, []);
    }
    if (Array.isArray(entries) && typeof listingId === 'string') {
      take('entries');
      const checked = verifyListingHistory(listingId, entries, keys);
      await add('listing history', path, checked, entries.filter(isJsonObject).map(entryOf));
    }
    if (Array.isArray(actions)) {
      take('actions');
      await add('audit chain', path, verifyAuditChain(actions, keys), actions);
    }
    for (const [name, member] of Object.entries(one))
      if (!known.has(name)) await visitAny(member, at(name), listingId, 1);
  }

  async function visitAny(member: Json, path: string, about: Json | undefined, depth: number): Promise<void> {
    if (isJsonObject(member)) return visit(member, path, about);
    if (!Array.isArray(member) || depth > MAX_DEPTH) return;
    for (const [index, one] of member.entries()) await visitAny(one, `${path}[${index}]`, about, depth + 1);
  }

  if (isJsonObject(value.provenance)) await add('response', '', verifyResponse(document, keys), []);
  await visit(value, '', undefined);
  return parts;
}

const NO_ATTESTATION = Promise.resolve(invalid('malformed', 'The rating has no attestation.'));

/** Its type is what it says of itself: who reads the result is shown it. */
const verifyStatementOf = (signed: Statement, keys: KeySet) =>
  verifyStatement(signed, keys, String(signed.statement.type));

type Statement = JsonObject & { readonly statement: JsonObject };

const isStatement = (value: unknown): value is Statement =>
  isJsonObject(value) && isJsonObject(value.statement) && 'signature' in value;

const isEntry = (value: JsonObject) =>
  'changeType' in value && 'previousDigest' in value && 'signature' in value;

const entryOf = (entry: JsonObject): JsonObject => ({
  ...entry,
  type: 'listing_history_entry',
  signedAt: entry.changedAt ?? null,
});
