import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { ratingNumber } from '@agent-marketplace/protocol/rating-number.ts';
import {
  believeCheckpoint,
  type KeySet,
  type Leaf,
  type LogPolicy,
  readLeaves,
  verifyListingHistory,
  verifyResponse,
} from '@agent-marketplace/sdk';
import type { DemandProof } from '@agent-marketplace/sdk/demand';
import { verifyDocument } from '@agent-marketplace/sdk/document';

export interface RatingFinding {
  /**
   * `missing`: the log has its number, and no page shows it. `repeated`: two ratings have one number. `unlogged`: it was to stand
   * in the log by now, and does not. Else why what a page shows is not valid, as `verify` says it.
   */
  readonly fault: string;
  readonly subject: string;
  readonly detail: string;
  readonly proof: DemandProof;
}

/** What the ratings of a listing are judged by. Anybody who has it can judge them again. */
export interface RatingsEvidence {
  readonly listingId: string;
  /** Of the listing's history. */
  readonly history: readonly { readonly version: number; readonly digest: string }[];
  /** All pages of ratings as they came, each with its signature. */
  readonly pages: readonly string[];
  /** Read before the pages. */
  readonly checkpoint: string;
  /** All of its leaves, as text. */
  readonly entries: readonly string[];
}

export interface JudgedRatings {
  readonly findings: readonly RatingFinding[];
  readonly shown: number;
  /** Numbers in the log. */
  readonly numbered: number;
  /** Ratings, or numbers, that are younger than their numbering or their pages may be. */
  readonly waiting: number;
  /** Numbers among them that no page shows. */
  readonly unshown: number;
  /** Numbers whose ratings' records may have ended since. */
  readonly ended: number;
}

/** Numbers are signed within a minute, and pages are remembered for seconds: what is younger proves nothing yet. */
const SETTLES_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** For so long at least a rating is kept with the records of its purchase. */
const KEPT_MS = 6 * 365 * DAY_MS;
/** Numbers are looked for so far beyond the last one that is known. */
const LOOKAHEAD = 1000;
const TYPES: ReadonlySet<string> = new Set(['rating_attestation', 'rating_number']);

/** `detail`: why nothing can be judged. */
export type RatingsVerdict =
  | ({ readonly valid: true } & JudgedRatings)
  | { readonly valid: false; readonly reason: string; readonly detail: string };

/** Holds the ratings that pages show against the numbers that the log has of their listing, without network. */
export async function judgeRatings(
  { listingId, history, pages, checkpoint, entries }: RatingsEvidence,
  policy: LogPolicy,
  keys: KeySet,
): Promise<RatingsVerdict> {
  const believed = await believeCheckpoint(checkpoint, policy);
  if (!believed.valid) return believed;
  const encoder = new TextEncoder();
  // A log that has, or was cosigned with, something of a time is not of before that time.
  let newestMs = Math.max(0, ...believed.checkpoint.cosigned.map(({ at }) => Date.parse(at)));
  const leaves = await readLeaves(
    entries.map((entry) => encoder.encode(entry)),
    believed.checkpoint,
    ({ type, signedAt }) => {
      newestMs = Math.max(newestMs, Date.parse(signedAt));
      return TYPES.has(type);
    },
  );
  if (leaves === null)
    return {
      valid: false,
      reason: 'incomplete',
      detail: 'The entries of the log are not those of its checkpoint.',
    };
  // What the numbers are made with. The history is a chain, so that nobody can show another beginning.
  const chain = await verifyListingHistory(listingId, history, keys);
  const first = history.find(({ version }) => version === 1);
  // Of an old entry whose texts were erased, only one after it that shows what was signed says which it is.
  const isFixed = chain.valid && !['version 1', 'version 2'].every((one) => chain.unsigned.includes(one));
  if (pages.length === 0)
    return { valid: false, reason: 'incomplete', detail: 'Not all pages are here: there is none.' };
  if (!isFixed || first === undefined)
    return { valid: false, reason: 'broken_chain', detail: 'The history of the listing does not hold.' };
  return {
    valid: true,
    ...(await compareRatings({ listingId, firstEntry: first.digest, pages, leaves, newestMs }, keys)),
  };
}

interface ComparedRatings extends Pick<RatingsEvidence, 'listingId' | 'pages'> {
  readonly firstEntry: string;
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** The log that they are of is not older. */
  readonly newestMs: number;
}

async function compareRatings(
  { listingId, firstEntry, pages, leaves, newestMs }: ComparedRatings,
  keys: KeySet,
): Promise<JudgedRatings> {
  const findings: RatingFinding[] = [];
  const find = (fault: string, subject: string, detail: string, proof: DemandProof = 'signed') =>
    findings.push({ fault, subject, detail, proof });
  const read: SignedPage[] = [];
  /** The id of the rating by its number. */
  const shown = new Map<number, unknown>();
  let [waiting, unshown, ended] = [0, 0, 0];
  for (const text of pages) {
    const page = await verifyResponse(text, keys);
    if (page.valid && page.body.listingId === listingId) read.push({ ...page, text });
    else if (page.valid) find('malformed', listingId, 'A page is of another listing.', 'incomplete');
    else find('malformed', listingId, `A page: ${page.detail}`, 'word');
  }
  const ofAll = read.length === pages.length && areWhole(read) ? 'signed' : 'incomplete';
  const oldestMs = Math.min(...read.map(({ signedAt }) => Date.parse(signedAt)));
  for (const { text, body } of read) {
    const { parts } = await verifyDocument(text, keys);
    for (const { path, verification } of parts)
      if (!verification.valid) {
        const { reason, detail } = verification;
        // Whoever names too few keys would see forgeries on any page.
        find(reason, path, detail, reason === 'unknown_key' ? 'word' : 'signed');
      }
    const { ratings } = body;
    for (const rating of Array.isArray(ratings) ? ratings.filter(isJsonObject) : []) {
      const { id, number, attestation } = rating;
      if (typeof number !== 'number') {
        find('malformed', String(id), 'It has no number.');
        continue;
      }
      // A rating that came while the pages were read moves the others on, so that one is on two of them.
      const other = shown.get(number);
      if (other !== undefined && other !== id)
        find('repeated', String(number), 'Two ratings have this number.', ofAll);
      shown.set(number, id);
      const signedAt = isJsonObject(attestation) ? Date.parse(String(attestation.signedAt)) : Number.NaN;
      if (isJsonObject(attestation) && isLeafOf(leaves, attestation)) continue;
      if (oldestMs - signedAt < DAY_MS) waiting += 1;
      else
        find(
          'unlogged',
          String(number),
          'Its attestation was to stand in the log by now, and does not.',
          newestMs - signedAt < DAY_MS ? 'word' : 'signed',
        );
    }
  }

  const last = Math.max(0, ...shown.keys());
  let numbered = 0;
  for (let number = 1; number <= last + LOOKAHEAD; number += 1) {
    const leaf = leaves.get(await canonicalDigest(ratingNumber(firstEntry, number)));
    if (leaf === undefined) {
      // Its number was not signed before the log was read, or never.
      if (shown.has(number)) waiting += 1;
      continue;
    }
    numbered += 1;
    if (shown.has(number)) continue;
    const ageMs = oldestMs - Date.parse(leaf.signedAt);
    if (ageMs > KEPT_MS) ended += 1;
    else if (ageMs < SETTLES_MS) unshown += 1;
    else
      find(
        'missing',
        String(number),
        `Entry ${leaf.index} of the log, of ${leaf.signedAt}, has the number of a rating of this listing that no page shows.`,
        ofAll,
      );
  }
  return { findings, shown: shown.size, numbered, waiting: waiting + unshown, unshown, ended };
}

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

function isLeafOf(leaves: ReadonlyMap<string, Leaf>, { digest, keyId, signedAt }: JsonObject): boolean {
  const leaf = leaves.get(String(digest));
  return leaf !== undefined && leaf.keyId === keyId && leaf.signedAt === signedAt;
}
