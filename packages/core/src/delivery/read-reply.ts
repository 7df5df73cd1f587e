import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { MAX_JSON_DEPTH } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { CanonicalScan, type MemberSpan } from '@agent-marketplace/protocol/json/canonical-text.ts';
import { AS_SENT, type StrictJsonLimits } from '@agent-marketplace/protocol/json/strict-json.ts';
import type {
  ByteSpan,
  EndpointReply,
  HttpReply,
  ReadReply,
  ReplyReading,
} from '../kernel/ports/seller-endpoint.ts';
import { createWholeDigests, OPENING, type WholeDigests } from './arriving-digests.rules.ts';
import { failed } from './delivery.rules.ts';
import { fitsOutputSchema } from './fits-output-schema.ts';
import { CLAIM, claimHolds, deliverableBytes } from './integrity.rules.ts';
import { readRpcReply, readToolResult } from './mcp-messages.rules.ts';
import { dataOf, decodeUtf8, type ReadAnswer, readAnswer } from './reply-text.rules.ts';

/** An HTTP date has 29 characters. */
const MAX_RETRY_AFTER = 64;

/** Lets other requests go on, after so much of a reply was read without a break. */
export type Pause = () => Promise<void>;
/** A few milliseconds of work. */
const CHARACTERS_WITHOUT_PAUSE = 1024 * 1024;

/** All that is made of a seller's reply, in the relay: who asked for it gets bytes that are judged, and parses nothing. */
export async function readReply(
  reading: ReplyReading | undefined,
  reply: HttpReply,
  pause?: Pause,
): Promise<EndpointReply> {
  const { status, headers, body, digests } = reply;
  const isRead = status === 200 && reading !== undefined;
  const read = { contentType: headers.get('content-type'), digests, pause };
  return {
    kind: 'replied',
    status,
    session: headers.get('mcp-session-id'),
    retryAfter: headers.get('retry-after')?.slice(0, MAX_RETRY_AFTER) ?? null,
    read: isRead ? await readBody(reading, body, read) : null,
  };
}

interface BodyReading {
  readonly contentType?: string | null;
  readonly limits?: StrictJsonLimits;
  readonly digests?: WholeDigests | undefined;
  readonly pause?: Pause | undefined;
}

/** Reads a body as it has to be read. A polling seller's comes from its mailbox, and has no content type. */
export async function readBody(
  { envelope, data: expected }: ReplyReading,
  body: Uint8Array,
  { contentType = null, limits = AS_SENT, digests = createWholeDigests(), pause }: BodyReading = {},
): Promise<ReadReply> {
  const text = decodeUtf8(body);
  if (text === null) return failed('not_json');
  const sent =
    expected !== undefined && envelope.kind === 'none'
      ? await sentCanonical(text, body, limits, pause)
      : null;
  if (expected !== undefined && sent !== null) return deliverAsSent(expected, sent, body, digests);

  // What comes now cannot be done in pieces: others have their turn in between.
  await pause?.();
  const answered = openEnvelope(envelope, text, contentType, limits);
  if (answered.kind !== 'answered' || expected === undefined) return answered;
  const found = dataOf(answered.answer);
  if (found.kind !== 'data') return found;
  if (!fitsOutputSchema(expected.outputSchema, found.data)) return failed('schema_mismatch');

  await pause?.();
  const { content, claim } = deliverableBytes(found.data);
  if (claim && !claimHolds(claim.value, await sha256Digest(claim.bytes)))
    return { kind: 'integrity_mismatch' };
  const { units } = answered.answer;
  return {
    kind: 'delivered',
    content,
    digest: await sha256Digest(content),
    ...(Number.isSafeInteger(units) && { units: units as number }),
  };
}

/** The data of a reply that is `{"data":{…}}` in canonical form, as the seller kit sends it. */
interface SentCanonical {
  readonly text: string;
  /** The member that claims their digest, in the text of the reply. */
  readonly claim: MemberSpan | null;
}

async function sentCanonical(
  text: string,
  body: Uint8Array,
  { maxDepth = MAX_JSON_DEPTH, maxValues, exactIntegers }: StrictJsonLimits,
  pause: Pause | undefined,
): Promise<SentCanonical | null> {
  // A byte order mark is in the bytes and not in the text.
  if (!text.startsWith(`${OPENING}{`) || !text.endsWith('}') || body[0] !== OPENING.charCodeAt(0))
    return null;
  const scan = new CanonicalScan(text, {
    from: OPENING.length,
    to: text.length - 1,
    locate: CLAIM,
    // Without the object that holds the data.
    maxDepth: maxDepth - 1,
    ...(maxValues !== undefined && { maxValues: maxValues - 1 }),
    ...(exactIntegers !== undefined && { exactIntegers }),
  });
  for (;;) {
    const isCanonical = scan.advance(CHARACTERS_WITHOUT_PAUSE);
    if (isCanonical !== null) return isCanonical ? { text, claim: scan.located } : null;
    await pause?.();
  }
}

/** More of the body than this beside the data would be handed on with them. */
const MOST_SPARE_BYTES = 64 * 1024;

async function deliverAsSent(
  { outputSchema }: NonNullable<ReplyReading['data']>,
  { text, claim }: SentCanonical,
  body: Uint8Array,
  digests: WholeDigests,
): Promise<ReadReply> {
  const dataText = text.slice(OPENING.length, -1);
  if (outputSchema !== null && !fitsOutputSchema(outputSchema, JSON.parse(dataText)))
    return failed('schema_mismatch');
  const { content: digest, unclaimed } = await digests.finish(body, claim && spanInBytes(text, claim, body));
  if (claim !== null) {
    const value = JSON.parse(text.slice(claim.start + `"${CLAIM}":`.length, claim.end));
    if (unclaimed === null || !claimHolds(value, unclaimed)) return { kind: 'integrity_mismatch' };
  }
  const data = body.subarray(OPENING.length, -1);
  const isTight = data.buffer.byteLength - data.length <= MOST_SPARE_BYTES;
  return { kind: 'delivered', content: isTight ? data : data.slice(), digest };
}

function spanInBytes(text: string, { start, end }: MemberSpan, body: Uint8Array): ByteSpan {
  if (text.length === body.length) return { start, end };
  const from = countUtf8(text, 0, start);
  return { start: from, end: from + countUtf8(text, start, end) };
}

function countUtf8(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    // Half of a character that takes four bytes takes two.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return bytes;
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
