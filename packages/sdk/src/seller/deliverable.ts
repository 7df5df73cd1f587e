import {
  CanonicalJsonError,
  canonicalJson,
  MAX_JSON_DEPTH,
} from '@agent-marketplace/protocol/json/canonical-json.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  AS_SENT,
  parseStrictJson,
  type StrictJsonReason,
} from '@agent-marketplace/protocol/json/strict-json.ts';
import { sha256Digest } from '../crypto.ts';

/** What `deliver` returned cannot be sold; the message says why, and where. */
export class DeliverableError extends TypeError {
  override readonly name = 'DeliverableError';
}

const CLAIM = '__sha256';
// The reply wraps the data in one more object, and the limits apply to the whole.
const MAX_DATA_DEPTH = MAX_JSON_DEPTH - 1;
const MAX_REPLY_BYTES = 10 * 1024 * 1024;
const DATA_MEMBER = '{"data":';
const WRAPPER_BYTES = DATA_MEMBER.length + 1;

const WRONG: Readonly<Record<StrictJsonReason, string>> = {
  invalid: 'is no JSON',
  too_deep: `is nested more than ${MAX_DATA_DEPTH} deep`,
  too_many_values: 'holds more than 200,000 values',
  duplicate_key: 'has a key twice',
  number_not_exact: 'has an integer that no double holds exactly: send it as a string',
  lone_surrogate: 'has a text that is not well-formed Unicode',
};

/**
 * The canonical JSON text of what `deliver` returned, with `__sha256` if wanted: the digest of its canonical JSON without that
 * field. The marketplace recomputes it and refunds the buyer on a mismatch, so that damaged data are never sold.
 *
 * @throws DeliverableError if the marketplace would refuse it.
 */
export async function deliverableText(data: unknown, addSha256: boolean): Promise<string> {
  if (!isJsonObject(data) || !isPlain(data)) throw new DeliverableError(noObject(data));
  const text = JSON.stringify(addSha256 ? await withIntegrity(data) : data);
  const bytes = new TextEncoder().encode(text).length + WRAPPER_BYTES;
  if (bytes > MAX_REPLY_BYTES)
    throw new DeliverableError(
      `deliver returned ${bytes} bytes, and ${MAX_REPLY_BYTES} can be sold at once.`,
    );
  const read = parseStrictJson(`${DATA_MEMBER}${text}}`, AS_SENT);
  if (!read.ok) {
    const where = read.path === undefined ? '' : ` (at ${read.path})`;
    throw new DeliverableError(`What deliver returned ${WRONG[read.reason]}${where}.`);
  }
  // The marketplace hands on canonical JSON as it is, and writes any other anew.
  const canonical = canonicalJson(read.value);
  return canonical.slice(DATA_MEMBER.length, -1);
}

function noObject(data: unknown): string {
  if (Array.isArray(data)) return 'deliver returned an array: put it into an object, such as { rows: […] }.';
  const typeName = typeof data === 'object' ? data?.constructor.name : typeof data;
  const kind = data === undefined ? 'nothing (is there a `return`?)' : `a ${typeName}`;
  return `deliver returned ${kind}: return a JSON object, or null if there is no data now.`;
}

/** Copying the members of a Date or a Map gives an empty object, which would be sold. */
function isPlain(data: object): boolean {
  const prototype = Object.getPrototypeOf(data);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

async function withIntegrity(data: JsonObject): Promise<JsonObject> {
  const { [CLAIM]: _replaced, ...rest } = data;
  try {
    return { ...rest, [CLAIM]: await sha256Digest(canonicalJson(rest, MAX_DATA_DEPTH)) };
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    const why = {
      lone_surrogate: WRONG.lone_surrogate,
      too_deep: WRONG.too_deep,
      non_finite: 'has a number that is infinite or NaN',
      not_json:
        'has something in it that is no JSON, such as a Date, a Map or a bigint: send texts and numbers',
    }[error.reason];
    throw new DeliverableError(`What deliver returned ${why}.`);
  }
}
