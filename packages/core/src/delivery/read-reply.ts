import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { isCanonicalText } from '@agent-marketplace/protocol/json/canonical-text.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { AS_SENT, type StrictJsonLimits } from '@agent-marketplace/protocol/json/strict-json.ts';
import type { EndpointReply, HttpReply, ReadReply, ReplyReading } from '../kernel/ports/seller-endpoint.ts';
import { failed } from './delivery.rules.ts';
import { fitsOutputSchema } from './fits-output-schema.ts';
import { claimHolds, deliverableBytes, type SentCanonical } from './integrity.rules.ts';
import { readRpcReply, readToolResult } from './mcp-messages.rules.ts';
import { dataOf, decodeUtf8, type ReadAnswer, readAnswer } from './reply-text.rules.ts';

/** An HTTP date has 29 characters. */
const MAX_RETRY_AFTER = 64;

/** All that is made of a seller's reply, in the relay: who asked for it gets bytes that are judged, and parses nothing. */
export async function readReply(reading: ReplyReading | undefined, reply: HttpReply): Promise<EndpointReply> {
  const { status, headers, body } = reply;
  const isRead = status === 200 && reading !== undefined;
  return {
    kind: 'replied',
    status,
    session: headers.get('mcp-session-id'),
    retryAfter: headers.get('retry-after')?.slice(0, MAX_RETRY_AFTER) ?? null,
    read: isRead ? await readBody(reading, body, { contentType: headers.get('content-type') }) : null,
  };
}

/** Reads a body as it has to be read. A polling seller's comes from its mailbox, and has no content type. */
export async function readBody(
  { envelope, data: expected }: ReplyReading,
  body: Uint8Array,
  { contentType = null, limits = AS_SENT }: { contentType?: string | null; limits?: StrictJsonLimits } = {},
): Promise<ReadReply> {
  const text = decodeUtf8(body);
  if (text === null) return failed('not_json');
  const answered = openEnvelope(envelope, text, contentType, limits);
  if (answered.kind !== 'answered' || expected === undefined) return answered;
  const found = dataOf(answered.answer);
  if (found.kind !== 'data') return found;
  if (!fitsOutputSchema(expected.outputSchema, found.data)) return failed('schema_mismatch');

  const { content, claim } = deliverableBytes(found.data, sentCanonical(text, body, answered.answer));
  if (claim && !claimHolds(claim.value, await sha256Digest(claim.bytes)))
    return { kind: 'integrity_mismatch' };
  return { kind: 'delivered', content, digest: await sha256Digest(content) };
}

const OPENING = '{"data":';
/** More of it than this beside the data would be handed on with them. */
const MOST_SPARE_BYTES = 64 * 1024;

/** The data as sent, if the body is `{"data":…}` in canonical form: the seller kit sends it so. */
function sentCanonical(text: string, body: Uint8Array, answer: JsonObject): SentCanonical | null {
  // A byte order mark is in the bytes and not in the text.
  const isBare = text.startsWith(OPENING) && body[0] === 0x7b && Object.keys(answer).length === 1;
  if (!isBare || !isCanonicalText(text)) return null;
  const bytes = body.subarray(OPENING.length, -1);
  const isTight = bytes.buffer.byteLength - bytes.length <= MOST_SPARE_BYTES;
  return { text: text.slice(OPENING.length, -1), bytes: isTight ? bytes : bytes.slice() };
}

function openEnvelope(
  envelope: ReplyReading['envelope'],
  text: string,
  contentType: string | null,
  limits: StrictJsonLimits,
): ReadAnswer {
  if (envelope.kind === 'none') return readAnswer(text, limits);
  const result = readRpcReply(envelope.id, contentType, text);
  return envelope.kind === 'tool' && result.kind === 'answered' ? readToolResult(result.answer) : result;
}
