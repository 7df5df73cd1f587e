import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { LogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
import { ratingNumber } from '@agent-marketplace/protocol/rating-number.ts';
import { verifyDocument } from '../document/verify-document.ts';
import type { KeySet } from '../keys.ts';
import type { FindingProof } from '../log/finding-proof.ts';
import {
  type BelievedCheckpoint,
  believeNewestLog,
  type LogInvalid,
  type LogVerification,
  logInvalid,
} from '../log/log-verification.ts';
import { type Leaf, readLeaves } from '../log/read-leaves.ts';
import { verifyListingHistory } from '../verify/listing-history.ts';
import { verifyResponse } from '../verify/response.ts';
import { digestOf, type InvalidReason } from '../verify/verification.ts';
import type { HistoryLink, ListingRatings } from './read-listing-ratings.ts';

/**
 * What is wrong with the ratings that are shown:
 *
 * - `missing`: the log has the number of one that no page shows.
 * - `repeated`: two have one number.
 * - `unlogged`: the attestation or the number of one, or the first entry of the history, was to stand in the log by now, and does not.
 * - `begun_anew`: the history has another beginning than before, or than its ratings: numbers of before are not found.
 * - `malformed`, `wrong_rating` and the like: why what a page shows is not valid.
 */
export type RatingFault = InvalidReason | 'missing' | 'repeated' | 'unlogged' | 'begun_anew';

export interface RatingFinding {
  readonly fault: RatingFault;
  /** The number or the id of the rating, the version of the history, or where it is on a page. */
  readonly subject: string;
  /** One sentence. */
  readonly detail: string;
  readonly proof: FindingProof;
}

/** What the ratings of a listing are verified with. Anybody who has it can verify them again. */
export interface RatingsEvidence extends ListingRatings {
  /** Read before the pages: whatever is in the log by then must be on them. */
  readonly checkpoint: string;
  /** All of its leaves, from the first on. */
  readonly entries: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Your own. */
  readonly policy: LogPolicy;
  /** The `firstEntry` of an earlier look: a history that begins otherwise now was begun anew. */
  readonly firstEntryBefore?: string | undefined;
}

export interface RatingsVerified {
  readonly checkpoint: BelievedCheckpoint;
  /** Empty: all ratings are shown that the log has a number of. */
  readonly findings: readonly RatingFinding[];
  /** The digest of the first entry of the history, which the numbers are made with. Keep it. */
  readonly firstEntry: string;
  readonly shown: number;
  /** Numbers in the log. */
  readonly numbered: number;
  /** Ratings, or numbers, that are younger than their numbering or their pages may be. */
  readonly waiting: number;
  /** Numbers among them that no page shows. */
  readonly unshown: number;
  /** Numbers whose ratings' records may have ended since. */
  readonly ended: number;
  /**
   * Ratings whose numbers were signed more than a day after their attestations. Ratings of before there were numbers are such; of a
   * younger one, its history may have been given another beginning, so that what was deleted has its numbers under the other one.
   */
  readonly numberedLate: number;
}

/** Numbers are signed within a minute, and pages are remembered for seconds: what is younger proves nothing yet. */
const SETTLES_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** For so long at least a rating is kept with the records of its purchase. */
const KEPT_MS = 6 * 365 * DAY_MS;
/** Numbers are looked for so far beyond the last one that is known. */
const LOOKAHEAD = 1000;
const TYPES: ReadonlySet<string> = new Set(['rating_attestation', 'rating_number']);

/**
 * Holds the ratings that pages show against the numbers that the log has of their listing, without network.
 *
 * `valid` means that they could be verified: all are shown if there are no `findings`. `erased`: nobody can tell any more which
 * numbers are of this listing, which is no fault and no sign that all are shown.
 */
export async function verifyRatings(
  evidence: RatingsEvidence,
  keys: KeySet,
): Promise<LogVerification<RatingsVerified>> {
  const { listingId, history, pages, entries, policy } = evidence;
  const believed = await believeNewestLog(evidence.checkpoint, policy);
  if (!believed.valid) return believed;
  const { checkpoint } = believed;
  const first = await firstEntryOf(listingId, history, keys);
  if ('valid' in first) return first;
  if (pages.length === 0) return logInvalid('incomplete', 'Not all pages are here: there is none.');
  // A log that has, or was cosigned with, something of a time is not of before that time.
  const cosignedMs = checkpoint.cosigned.map(({ at }) => Date.parse(at));
  const range = { oldestMs: Number.POSITIVE_INFINITY, newestMs: Math.max(0, ...cosignedMs) };
  const leaves = await readLeaves(entries, checkpoint, ({ type, signedAt, digest }) => {
    range.oldestMs = Math.min(range.oldestMs, Date.parse(signedAt));
    range.newestMs = Math.max(range.newestMs, Date.parse(signedAt));
    return TYPES.has(type) || digest === first.digest;
  });
  if (leaves === null)
    return logInvalid('incomplete', 'The entries of the log are not those of its checkpoint.');
  const comparison = new Comparison({ evidence, keys, first, leaves, ...range });
  return { valid: true, checkpoint, firstEntry: first.digest, ...(await comparison.run()) };
}

/** What the numbers are made with. The history is a chain, so that nobody can show another beginning. */
async function firstEntryOf(
  listingId: string,
  history: readonly HistoryLink[],
  keys: KeySet,
): Promise<HistoryLink | LogInvalid> {
  const chain = await verifyListingHistory(listingId, history, keys);
  const first = chain.valid ? history.find(({ version }) => version === 1) : undefined;
  // Of an old entry whose texts were erased, only one after it that shows what was signed says which it is.
  const isErased = chain.valid
    ? ['version 1', 'version 2'].every((one) => chain.unsigned.includes(one))
    : chain.reason === 'not_covered' && chain.version === null;
  if (isErased) return logInvalid('erased', ERASED);
  if (!chain.valid || first === undefined)
    return logInvalid('broken_chain', 'The history of the listing does not hold.');
  return first;
}

const ERASED =
  'The texts of the first entries of the history were erased, and nobody can check any more which numbers in the log are of this listing. That is no fault, and no sign that all ratings are shown.';

interface Compared {
  readonly evidence: RatingsEvidence;
  readonly keys: KeySet;
  readonly first: HistoryLink;
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** The log began no later, and is not older than that. */
  readonly oldestMs: number;
  readonly newestMs: number;
}

class Comparison {
  readonly #facts: Compared;
  readonly #findings: RatingFinding[] = [];
  /** The rating by its number. */
  readonly #shown = new Map<number, JsonObject>();
  readonly #counts = { numbered: 0, unshown: 0, ended: 0, numberedLate: 0 };
  readonly #waiting = new Set<string>();
  /** When the oldest page was made. */
  #pagesMs = Number.POSITIVE_INFINITY;

  constructor(facts: Compared) {
    this.#facts = facts;
  }

  async run(): Promise<Omit<RatingsVerified, 'checkpoint' | 'firstEntry'>> {
    const pages = await this.#readPages();
    const isWhole = pages.length === this.#facts.evidence.pages.length && areWhole(pages);
    const ofAll = isWhole ? 'signed' : 'incomplete';
    this.#pagesMs = Math.min(...pages.map(({ signedAt }) => Date.parse(signedAt)));
    this.#compareFirst();
    for (const page of pages) await this.#readRatings(page, ofAll);
    await this.#compareNumbers(ofAll);
    const [shown, waiting] = [this.#shown.size, this.#waiting.size + this.#counts.unshown];
    return { findings: this.#findings, shown, waiting, ...this.#counts };
  }

  async #readPages(): Promise<SignedPage[]> {
    const { evidence, keys } = this.#facts;
    const { listingId } = evidence;
    const read: SignedPage[] = [];
    for (const text of evidence.pages) {
      const page = await verifyResponse(text, keys);
      if (page.valid && page.body.listingId === listingId) read.push({ ...page, text });
      else if (page.valid) this.#find('malformed', listingId, 'A page is of another listing.', 'incomplete');
      else this.#find('malformed', listingId, `A page: ${page.detail}`, 'word');
    }
    return read;
  }

  /** A history that was begun anew has numbers of its own: those of before are nobody's. */
  #compareFirst(): void {
    const { evidence, first, leaves, oldestMs } = this.#facts;
    const { firstEntryBefore } = evidence;
    if (firstEntryBefore !== undefined && firstEntryBefore !== first.digest) {
      const detail = `The history began with ${firstEntryBefore} before, and begins with ${first.digest} now.`;
      this.#find('begun_anew', 'version 1', detail, 'word');
    }
    // What was signed before the log began is not in it.
    const isOlder = Date.parse(first.changedAt) < oldestMs + DAY_MS;
    if (leaves.get(first.digest) === undefined && !isOlder)
      this.#requireLogged('version 1', 'The entry', first.changedAt);
  }

  async #readRatings({ text, body }: SignedPage, ofAll: FindingProof): Promise<void> {
    const { parts } = await verifyDocument(text, this.#facts.keys);
    for (const { path, verification } of parts) {
      if (verification.valid) continue;
      const { reason, detail } = verification;
      // Whoever names too few keys would see forgeries on any page.
      this.#find(reason, path, detail, reason === 'unknown_key' ? 'word' : 'signed');
    }
    const { ratings } = body;
    for (const rating of Array.isArray(ratings) ? ratings.filter(isJsonObject) : []) {
      const { id, number, attestation } = rating;
      if (typeof number !== 'number') {
        this.#find('malformed', String(id), 'It has no number.');
        continue;
      }
      // A rating that came while the pages were read moves the others on, so that one is on two of them.
      const other = this.#shown.get(number);
      if (other !== undefined && other.id !== id)
        this.#find('repeated', String(number), 'Two ratings have this number.', ofAll);
      this.#shown.set(number, rating);
      if (isJsonObject(attestation)) this.#compareAttestation(String(number), attestation);
    }
  }

  #compareAttestation(number: string, attestation: JsonObject): void {
    const { digest, keyId, signedAt } = attestation;
    const { first, leaves } = this.#facts;
    const leaf = leaves.get(String(digest));
    if (leaf === undefined || leaf.keyId !== keyId || leaf.signedAt !== signedAt) {
      this.#requireLogged(number, 'Its attestation', statedAt(attestation));
      return;
    }
    const firstLeaf = leaves.get(first.digest);
    if (firstLeaf !== undefined && leaf.index < firstLeaf.index) {
      const detail = `Its attestation is entry ${leaf.index} of the log, and the first entry of the listing’s history only entry ${firstLeaf.index}: numbers of before that are not found.`;
      this.#find('begun_anew', number, detail);
    }
  }

  /** Each number that is shown, and each that the log has. */
  async #compareNumbers(ofAll: FindingProof): Promise<void> {
    const { first, leaves } = this.#facts;
    const last = Math.max(0, ...this.#shown.keys());
    let skipped: number[] = [];
    for (let number = 1; number <= last + LOOKAHEAD; number += 1) {
      const leaf = leaves.get(String(await digestOf(ratingNumber(first.digest, number))));
      const rating = this.#shown.get(number);
      if (leaf === undefined) {
        if (rating !== undefined) this.#requireLogged(String(number), 'Its number', rating.createdAt);
        else skipped.push(number);
        continue;
      }
      this.#findSkipped(skipped, number, leaf, ofAll);
      skipped = [];
      this.#counts.numbered += 1;
      if (rating !== undefined) {
        if (wasNumberedLate(rating, leaf)) this.#counts.numberedLate += 1;
        continue;
      }
      const ageMs = this.#pagesMs - Date.parse(leaf.signedAt);
      if (ageMs > KEPT_MS) this.#counts.ended += 1;
      else if (ageMs < SETTLES_MS) this.#counts.unshown += 1;
      else {
        const detail = `Entry ${leaf.index} of the log, of ${leaf.signedAt}, has the number of a rating of this listing that no page shows.`;
        this.#find('missing', String(number), detail, ofAll);
      }
    }
  }

  /** Numbers are given one after the other, and never taken back: a later one says that those before it were given. */
  #findSkipped(
    skipped: readonly number[],
    nextNumber: number,
    { index, signedAt }: Leaf,
    ofAll: FindingProof,
  ): void {
    const isRecent = this.#pagesMs - Date.parse(signedAt) < SETTLES_MS;
    for (const number of skipped) {
      if (isRecent) this.#waiting.add(String(number));
      else {
        const detail = `Entry ${index} of the log, of ${signedAt}, has the number ${nextNumber} of this listing, and this one is in no entry and on no page.`;
        this.#find('missing', String(number), detail, ofAll);
      }
    }
  }

  #requireLogged(subject: string, what: string, since: unknown): void {
    const sinceMs = Date.parse(String(since));
    if (this.#pagesMs - sinceMs < DAY_MS) {
      this.#waiting.add(subject);
      return;
    }
    const proof = this.#facts.newestMs - sinceMs < DAY_MS ? 'word' : 'signed';
    this.#find('unlogged', subject, `${what} was to stand in the log by now, and does not.`, proof);
  }

  #find(fault: RatingFault, subject: string, detail: string, proof: FindingProof = 'signed'): void {
    this.#findings.push({ fault, subject, detail, proof });
  }
}

/**
 * When what an attestation says came about, which it is signed at or within minutes of: an attestation that is signed anew at each
 * look would else be too young to be in the log for ever.
 */
function statedAt({ signedAt, statement }: JsonObject): unknown {
  const { ratedAt, statusAt = ratedAt } = isJsonObject(statement) ? statement : {};
  return statusAt ?? signedAt;
}

const wasNumberedLate = ({ attestation }: JsonObject, { signedAt }: Leaf): boolean =>
  isJsonObject(attestation) && Date.parse(signedAt) - Date.parse(String(attestation.signedAt)) > DAY_MS;

type SignedPage = Extract<Awaited<ReturnType<typeof verifyResponse>>, { valid: true }> & {
  readonly text: string;
};

/** Whether these are all pages of the ratings, each once, and of one state. */
function areWhole(pages: readonly SignedPage[]): boolean {
  const times = pages.map(({ signedAt }) => Date.parse(signedAt));
  if (Math.max(...times) - Math.min(...times) > SETTLES_MS) return false;
  let next = 0;
  const states = new Set<string>();
  for (const { body } of pages) {
    const { ratings, offset, total, average, byStars } = body;
    if (!Array.isArray(ratings) || offset !== next) return false;
    next += ratings.length;
    states.add(JSON.stringify([total, average, byStars]));
  }
  // What is counted may be more than what is shown, but a page that is not full is the last.
  const { ratings, limit, total } = pages.at(-1)?.body ?? {};
  const isLast = next >= Number(total) || (Array.isArray(ratings) && ratings.length < Number(limit));
  return states.size === 1 && isLast;
}
