import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { AS_SENT, parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { commonErrors } from '../../kernel/errors.ts';
import { readCapped } from '../../kernel/read-capped.ts';
import { isInUtf8, ONLY_UTF8 } from '../json-media-type.ts';

/** The JSON-RPC 2.0 codes of errors found before the library sees a message. */
export const JSON_RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
} as const;

export type MessageId = string | number;

/** A message refused before it reached a method. */
export interface BadMessage {
  readonly kind: 'bad';
  /** Of HTTP. */
  readonly status: 400 | 413 | 415;
  readonly code: number;
  readonly message: string;
  /** Null where the message has no readable id. */
  readonly id: MessageId | null;
}

export interface GoodMessage {
  readonly kind: 'good';
  readonly message: JsonObject;
  /** Null for a response. This server sends no requests, so it ignores responses. */
  readonly method: string | null;
  readonly params: JsonObject;
}

export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Several messages in one body, each answered by itself. */
export interface Batch {
  readonly kind: 'batch';
  readonly messages: readonly (GoodMessage | BadMessage)[];
}

/** The one revision with batches, which applies where a request names none. */
const REVISION_WITH_BATCHES = '2025-03-26';
export const MAX_BATCH_MESSAGES = 10;

/** Reads JSON-RPC from a request's body, as strictly as any other body. */
export async function readMessage(request: Request): Promise<GoodMessage | BadMessage | Batch> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(contentType)) {
    return bad(415, JSON_RPC.invalidRequest, 'Send Content-Type: application/json.');
  }
  if (!isInUtf8(contentType)) return bad(415, JSON_RPC.invalidRequest, ONLY_UTF8);
  const bytes = await readBytes(request);
  if (bytes === null) {
    return bad(413, JSON_RPC.invalidRequest, `A message is at most ${MAX_MESSAGE_BYTES} bytes.`);
  }
  const text = decode(bytes);
  const parsed = text === null ? null : parseStrictJson(text, AS_SENT);
  if (parsed?.ok === false && parsed.reason === 'number_not_exact') {
    const { remedy } = commonErrors.number_not_exact;
    return bad(400, JSON_RPC.parseError, `number_not_exact at ${parsed.path}. ${remedy}`);
  }
  if (parsed === null || !parsed.ok) {
    return bad(400, JSON_RPC.parseError, `Parse error: ${parsed === null ? 'not UTF-8' : parsed.reason}.`);
  }
  return Array.isArray(parsed.value) ? checkBatch(parsed.value, request.headers) : checkMessage(parsed.value);
}

function checkBatch(messages: readonly unknown[], headers: Headers): Batch | BadMessage {
  const refused = (text: string) => bad(400, JSON_RPC.invalidRequest, text);
  const revision = headers.get('mcp-protocol-version') ?? REVISION_WITH_BATCHES;
  if (revision !== REVISION_WITH_BATCHES)
    return refused('This revision has no batches: send one message a request.');
  if (messages.length === 0) return refused('The batch is empty.');
  if (messages.length > MAX_BATCH_MESSAGES) {
    return refused(`A batch has at most ${MAX_BATCH_MESSAGES} messages; none of these was run.`);
  }
  if (messages.some((one) => isJsonObject(one) && one.method === 'initialize')) {
    return refused('`initialize` must not be part of a batch.');
  }
  // One key for several calls would make the second a repetition of the first.
  if (headers.has('idempotency-key')) {
    return refused('Send the Idempotency-Key of each call of a batch in the `_meta` of its params.');
  }
  return { kind: 'batch', messages: messages.map(checkMessage) };
}

function checkMessage(message: unknown): GoodMessage | BadMessage {
  if (!isJsonObject(message)) return bad(400, JSON_RPC.invalidRequest, 'A message is a JSON object.');
  const { id, jsonrpc, method, params = {} } = message;
  const known = isId(id) ? id : null;
  const invalid = (text: string) => bad(400, JSON_RPC.invalidRequest, `Invalid request: ${text}`, known);
  if (jsonrpc !== '2.0') return invalid('`jsonrpc` must be "2.0".');
  if (method === undefined && ('result' in message || 'error' in message)) {
    return { kind: 'good', message, method: null, params: {} };
  }
  if (typeof method !== 'string') return invalid('`method` must be a string.');
  if (id !== undefined && known === null) return invalid('`id` must be a string or an integer.');
  // Treated as a notification, it would be run or dropped without an answer.
  if (id === undefined && !method.startsWith('notifications/')) return invalid('a request needs an `id`.');
  if (!isJsonObject(params)) return invalid('`params` must be an object.');
  const { arguments: sent, ...others } = params;
  // Null says the same as leaving it out, as in every field; the library would refuse it.
  if (sent === null) return { kind: 'good', message: { ...message, params: others }, method, params: others };
  return { kind: 'good', message, method, params };
}

/** Null for a notification. */
export function idOf({ message }: GoodMessage): MessageId | null {
  return isId(message.id) ? message.id : null;
}

function isId(id: unknown): id is MessageId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function bad(
  status: BadMessage['status'],
  code: number,
  message: string,
  id: MessageId | null = null,
): BadMessage {
  return { kind: 'bad', status, code, message, id };
}

async function readBytes(request: Request): Promise<Uint8Array | null> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > MAX_MESSAGE_BYTES) return null;
  if (request.body === null) return new Uint8Array();
  const declaredBytes = Number.isSafeInteger(declared) ? declared : null;
  return readCapped(request.body, { maxBytes: MAX_MESSAGE_BYTES, declaredBytes });
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
