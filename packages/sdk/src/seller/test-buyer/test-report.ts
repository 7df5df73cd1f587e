import { CanonicalJsonError, canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { AS_SENT, parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { sha256Digest } from '../../crypto.ts';

/**
 * - `verified`: the challenge was answered.
 * - `delivered`: the buyer would be charged and get the content.
 * - `unavailable`, `query_refused`: nothing is charged, and it is no failure of yours.
 * - `failed`: nothing is charged, and it counts against you.
 */
export type ReportVerdict = 'verified' | 'delivered' | 'unavailable' | 'query_refused' | 'failed';

/** What was sent to the endpoint, what it answered, and what the marketplace would make of that. */
export interface TestReport {
  readonly request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
  };
  /** Null if there was none. */
  readonly answer: {
    readonly status: number;
    readonly contentType: string | null;
    readonly body: string;
  } | null;
  readonly durationMs: number;
  readonly verdict: ReportVerdict;
  /** The reason in a sentence. */
  readonly explanation: string;
  /** What the buyer would get: `data` without `__sha256`. Null if nothing. */
  readonly content: JsonObject | null;
}

export type Judgement = Pick<TestReport, 'verdict' | 'explanation' | 'content'>;

const MAX_BYTES = 10 * 1024 * 1024;
const CLAIM = '__sha256';
/** Whatever was asked for: these are no answers to a query. */
const REFUSES_THE_CALL: ReadonlySet<number> = new Set([401, 403, 405, 407, 408, 410, 415, 429]);

export const failed = (explanation: string): Judgement => ({ verdict: 'failed', explanation, content: null });

/** Judges the answer to a challenge. */
export function judgeChallenge(status: number, text: string, nonce: string, sellerId: string): Judgement {
  if (status !== 200) return failed(`It answered HTTP ${status}, not 200${errorIn(text)}.`);
  const parsed = parseStrictJson(text, AS_SENT);
  const answer = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  if (answer.nonce !== nonce) return failed('The answer has no field `nonce` that equals the nonce sent.');
  if (answer.sellerId !== undefined && answer.sellerId !== sellerId)
    return failed('The answer names another seller in `sellerId`.');
  const explanation =
    answer.sellerId === undefined
      ? 'It answered the challenge, without its sellerId: set one, so that nobody else can register this URL.'
      : 'It answered the challenge, and names its seller.';
  return { verdict: 'verified', explanation, content: null };
}

/** Judges the answer to a delivery request, as the marketplace does. */
export async function judgeDelivery(status: number, bytes: Uint8Array): Promise<Judgement> {
  const text = decode(bytes);
  if (status === 404) return unavailable();
  if (status >= 400 && status < 500 && !REFUSES_THE_CALL.has(status))
    return {
      verdict: 'query_refused',
      explanation: `It answered HTTP ${status}: it cannot answer this query.`,
      content: null,
    };
  if (status >= 400) return failed(`It answered HTTP ${status}${errorIn(text)}.`);
  if (status !== 200)
    return failed(`It answered HTTP ${status}, and 200 is needed; redirects are not followed.`);
  if (bytes.length > MAX_BYTES)
    return failed(`The answer has ${bytes.length} bytes, and 10 MiB can be sold.`);
  if (text === null) return failed('The answer is not UTF-8.');
  const parsed = parseStrictJson(text, AS_SENT);
  if (!parsed.ok)
    return failed(`The answer cannot be sold: ${parsed.reason}${parsed.path ? ` at ${parsed.path}` : ''}.`);
  if (!isJsonObject(parsed.value)) return failed('The answer is no JSON object.');
  const { available, data } = parsed.value;
  if (available === false) return unavailable();
  if (!isJsonObject(data)) return failed('The answer has no object `data`.');
  return judgeData(data);
}

async function judgeData(data: JsonObject): Promise<Judgement> {
  const { [CLAIM]: claim, ...content } = data;
  const delivered = 'The buyer would be charged, and get the content';
  if (claim === undefined)
    return { verdict: 'delivered', explanation: `${delivered}. It has no ${CLAIM}.`, content };
  try {
    if (claim !== (await sha256Digest(canonicalJson(content))))
      return failed(`${CLAIM} is not the digest of the data: the marketplace would refund the buyer.`);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return failed(`The data have no canonical form: ${error.reason}.`);
  }
  return { verdict: 'delivered', explanation: `${delivered}; its ${CLAIM} is right.`, content };
}

function unavailable(): Judgement {
  return {
    verdict: 'unavailable',
    explanation: 'It has no data for this now: nothing is charged.',
    content: null,
  };
}

/** A lenient decoder would change what is sold. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

/** The code that an endpoint of the kit answers. */
function errorIn(text: string | null): string {
  const [, code] = /^\{"error":"(\w{1,40})"/.exec(text ?? '') ?? [];
  return code === undefined ? '' : ` (${code})`;
}
