import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { RECONCILIATION_PREFIX } from '@agent-marketplace/protocol/reconciliation-prefix.ts';
import type { KeySet } from '../keys.ts';
import { type AuditChainVerification, verifyAuditChain } from '../verify/audit-chain.ts';
import { uncoveredInList } from '../verify/covered-members.ts';
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
    | 'demand ledger'
    | 'statement';
  /** Where it is, such as `ratings[3]`; empty: the document itself. */
  readonly path: string;
  readonly verification:
    | Verification<{
        readonly content?: 'matches' | 'absent';
        readonly purchase?: 'matches' | 'unknown';
        /**
         * What the signed page says of it and no statement of its own does: such as `refunded` of a rating, within the minute in
         * which its attestation is signed anew. Look again; what stays so is a fault.
         */
        readonly unsigned?: readonly string[];
      }>
    | ListingHistoryVerification
    | AuditChainVerification;
  /** Of a rating or row, the members that its own statements do not say: what is shown there is the word of whoever signed the page. */
  readonly uncovered: readonly string[];
  /** Each with `digest`, `keyId` and `signedAt`, as it may stand in the log; none: an answer, which stands in no log. */
  readonly signed: readonly JsonObject[];
}

/** What is signed in a document. */
export interface VerifiedDocument {
  /** Empty: nothing in it is signed by a marketplace. */
  readonly parts: readonly SignedPart[];
  /** False: nobody signed the document itself, and what it says beside its parts, such as totals, is nobody's word. */
  readonly isSignedWhole: boolean;
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
 * document one not to be believed. A page that nobody signed says nothing of a rating or row that its own statements do not say.
 *
 * @param document as text (preferred, since duplicate keys are detected) or parsed.
 */
export async function verifyDocument(document: string | object, keys: KeySet): Promise<VerifiedDocument> {
  const parts: SignedPart[] = [];
  /** Where each rating and row was found first. */
  const seen = new Map<unknown, string>();
  /** Ratings and rows, by what they were checked as and where. */
  const judged = new Set<string>();
  let whole: Verification = NOBODY;
  const parsed = typeof document === 'string' ? parseStrictJson(document, { maxDepth: MAX_DEPTH }) : null;
  const value = parsed === null ? document : parsed.ok ? parsed.value : undefined;
  if (value === undefined) await add('response', '', verifyResponse(document, keys), []);
  if (!isJsonObject(value)) return { parts, isSignedWhole: false };

  async function add(
    what: SignedPart['what'],
    path: string,
    verification: Promise<SignedPart['verification']>,
    signed: readonly unknown[],
    uncovered: readonly string[] = [],
  ): Promise<void> {
    const checked = await verification;
    const fault = faultOfUnsigned(checked);
    const found = signed.filter(isJsonObject);
    parts.push({ what, path, verification: fault ?? checked, uncovered, signed: found });
  }

  /** What no signature covers is the word of whoever signed the page. */
  function faultOfUnsigned(verification: SignedPart['verification']): Verification | null {
    const unsigned = unsignedIn(verification);
    if (unsigned.length === 0 || whole.valid) return null;
    return invalid(
      'not_covered',
      `Its own statement does not say ${unsigned.join(' and ')}, or says otherwise, and nobody signed the page.`,
    );
  }

  /** A rating or row: once in the whole document, however many lists show it. */
  async function addListed(
    what: Parameters<typeof uncoveredInList>[0],
    path: string,
    checked: Promise<Listed>,
    { shown, signed, identity }: ListedPart,
  ): Promise<void> {
    const verification = await checked;
    const before = identity === undefined ? undefined : seen.get(identity);
    if (before === undefined) seen.set(identity, path);
    judged.add(`${what} ${path}`);
    const repeated = verification.valid && before !== undefined ? repeatedAt(before) : null;
    const uncovered = isJsonObject(shown) ? uncoveredInList(what, shown) : [];
    await add(what, path, Promise.resolve(repeated ?? verification), signed, uncovered);
  }

  async function visit(one: JsonObject, path: string, context: Page): Promise<void> {
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    const page = pageOf(one, context);
    const { listingId, isConfigured } = page;
    const { receipt, attestation, settlement, change, entries, actions, ratings, ledger, reconciliation } =
      one;
    const known = new Set(FOREIGN);
    const take = (...names: string[]) => {
      for (const name of names) known.add(name);
    };
    if (isStatement(one)) return add('statement', path, verifyStatementOf(one, keys), [one]);
    if (isEntry(one)) return add('history entry', path, verifyHistoryEntry(one, keys), [entryOf(one)]);
    if (isJsonObject(receipt) && 'merchant' in one) {
      take('receipt');
      const listed = { shown: one, signed: [receipt], identity: receipt.digest };
      await addListed('affiliated row', path, verifyAffiliatedRow(one, keys), listed);
    } else if (isJsonObject(receipt) && 'contentDigest' in one) {
      take('receipt');
      await add('purchase', path, verifyPurchaseReceipt(one, keys), [receipt]);
    } else if (isStatement(receipt) && 'content' in one) {
      take('receipt');
      await add('statement', at('receipt'), verifyDeliveredContent(one, receipt, keys), [receipt]);
    }
    if (isStatement(settlement) || isStatement(change) || typeof one.statementDigest === 'string') {
      take('settlement', 'change');
      const identity = one.id ?? (isStatement(settlement) ? settlement.statement.id : undefined);
      const checked = verifyDemandRow(one, keys, isConfigured);
      await addListed('demand row', path, checked, { shown: one, signed: [settlement, change], identity });
    }
    if (isJsonObject(attestation) && 'rating' in one) {
      take('attestation');
      const rating = listingId === undefined ? one : { ...one, listingId };
      const { purchaseDigest } = isJsonObject(attestation.statement) ? attestation.statement : {};
      const listed = { shown: one, signed: [attestation], identity: purchaseDigest };
      await addListed('rating', path, verifyRatingAttestation(rating, keys), listed);
    }
    if (isStatement(one.statement) && 'configured' in one) {
      take('statement');
      const checked = verifyClassification(one, one.statement, keys);
      await add('statement', at('statement'), checked, [one.statement]);
    }
    if (Array.isArray(ledger) && typeof reconciliation === 'string')
      if (!reconciliation.startsWith(RECONCILIATION_PREFIX))
        await add('demand ledger', at('reconciliation'), UNRECONCILED, []);
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
      if (!known.has(name)) await visitAny(member, at(name), page, 1);
    // What was signed somewhere in a rating or row makes none of it: one that was checked as nothing would count like the others.
    for (const [index] of Array.isArray(ratings) ? ratings.entries() : []) {
      const place = at(`ratings[${index}]`);
      if (!judged.has(`rating ${place}`)) await add('rating', place, NO_ATTESTATION, []);
    }
    for (const [index, row] of Array.isArray(ledger) ? ledger.entries() : []) {
      const place = at(`ledger[${index}]`);
      if (!ROWS.some((what) => judged.has(`${what} ${place}`))) await addUnsignedRow(row, place);
    }
  }

  /** A row that nobody signed yet is the word of whoever signed the page; without a signed page it is nobody's. */
  async function addUnsignedRow(row: Json, path: string): Promise<void> {
    const waiting: Promise<Listed> | null =
      whole.valid && isJsonObject(row) && row.settlement === null
        ? Promise.resolve({ ...whole, unsigned: ['settlement'] })
        : null;
    const identity = isJsonObject(row) ? row.id : undefined;
    await addListed('demand row', path, waiting ?? NO_SETTLEMENT, { shown: row, signed: [], identity });
  }

  async function visitAny(member: Json, path: string, page: Page, depth: number): Promise<void> {
    if (isJsonObject(member)) return visit(member, path, page);
    if (!Array.isArray(member) || depth > MAX_DEPTH) return;
    for (const [index, one] of member.entries()) await visitAny(one, `${path}[${index}]`, page, depth + 1);
  }

  if (isJsonObject(value.provenance)) {
    whole = await verifyResponse(document, keys);
    await add('response', '', Promise.resolve(whole), []);
  }
  await visit(value, '', { listingId: undefined, isConfigured: true });
  return { parts, isSignedWhole: parts.some(isWhole) };
}

/** Their checks refuse every member that no signature covers. */
const COMPLETE: readonly SignedPart['what'][] = ['response', 'statement', 'history entry'];

const isWhole = ({ path, verification, what }: SignedPart) =>
  path === '' && verification.valid && COMPLETE.includes(what);

const unsignedIn = (verification: SignedPart['verification']): readonly string[] =>
  'unsigned' in verification ? (verification.unsigned ?? []) : [];

const repeatedAt = (before: string) => invalid('repeated', `It is there twice: ${before} shows it as well.`);

/** What holds for all that stands in a page. */
interface Page {
  /** The listing that all of it is of. */
  readonly listingId: Json | undefined;
  /** Of a demand ledger: whether its rows may be at arm's length. */
  readonly isConfigured: boolean;
}

function pageOf(one: JsonObject, { listingId, isConfigured }: Page): Page {
  const { armsLengthClassification: classification } = one;
  return {
    listingId: one.listingId ?? listingId ?? listingOf(one.ratings),
    isConfigured: isJsonObject(classification) ? classification.configured === true : isConfigured,
  };
}

/** A page that does not say of which listing it is shows ratings of one all the same. */
function listingOf(ratings: Json | undefined): Json | undefined {
  const [first] = Array.isArray(ratings) ? ratings : [];
  const { attestation } = isJsonObject(first) ? first : {};
  return isJsonObject(attestation) && isStatement(attestation) ? attestation.statement.listingId : undefined;
}

interface ListedPart {
  /** As the page shows it. */
  readonly shown: Json | undefined;
  readonly signed: readonly unknown[];
  /** Each stands once in a document. */
  readonly identity: unknown;
}

type Listed = Verification<{ readonly unsigned?: readonly string[] }>;

/** What a row of a ledger is checked as: of the demand ledger, or of the affiliated rail. */
const ROWS = ['demand row', 'affiliated row'] as const;

const NOBODY = invalid('malformed', 'Nobody signed the document itself.');
const NO_SETTLEMENT = Promise.resolve(invalid('malformed', 'The row shows nothing that was signed of it.'));
const UNRECONCILED = Promise.resolve(
  invalid('unreconciled', 'The ledger says of itself that its rows do not agree with the double entries.'),
);
const NO_ATTESTATION = Promise.resolve(invalid('malformed', 'The rating has no attestation.'));

/** Beside the statement the page says `configured`, which is signed anew within the minute where it changes. */
async function verifyClassification(
  { configured }: JsonObject,
  signed: Statement,
  keys: KeySet,
): Promise<Listed> {
  const checked = await verifyStatementOf(signed, keys);
  if (!checked.valid || signed.statement.configured === configured) return checked;
  return { ...checked, unsigned: ['configured'] };
}

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
