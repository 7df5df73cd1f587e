import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { MAX_JSON_DEPTH, MAX_WRITTEN_DEPTH } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  AS_SENT,
  AS_WRITTEN,
  MAX_JSON_VALUES,
  parseStrictJson,
  type StrictJsonResult,
} from '@agent-marketplace/protocol/json/strict-json.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import { choicesOf } from '../../kernel/operation/choices.ts';
import { type AnyOperation, type HttpBinding, isPublicRead } from '../../kernel/operation/operation.ts';
import type { OperatorCredential } from '../../kernel/operation/operators/operator.ts';
import { clientAddressOf } from '../../kernel/operation/rate-key.ts';
import type { Call } from '../../kernel/operation/run-operation.ts';
import type { Uploads } from '../../kernel/ports/uploads.ts';
import { readCapped } from '../../kernel/read-capped.ts';
import { isInUtf8, ONLY_UTF8 } from '../json-media-type.ts';
import { API_KEY_FIELD, defineMember, SentFields } from '../sent-fields.ts';
import { coerceText, type FieldKind, fieldKinds, wireNames } from '../wire-names.ts';
import { knownDigests } from './if-none-match.ts';
import { keysInHeaders } from './keys-in-headers.ts';
import { queryParameters } from './query-parameters.ts';
import {
  type BodyUpload,
  createUpload,
  cutOff,
  DEFAULT_MAX_BODY_BYTES,
  declaredLength,
  isUpload,
  tooLarge,
} from './upload.ts';

/** The state of the database that a change left, and that a read must not be older than. */
export const BOOKMARK_HEADER = 'x-d1-bookmark';

/** What the Worker adds to a request. */
export interface Origin {
  readonly requestId: string;
  readonly baseUrl: string;
  readonly credential: OperatorCredential | null;
}

/** Prepares, once per route, the conversion of requests into calls of the operation. */
export function callReader(operation: AnyOperation) {
  const { http } = operation;
  const names = wireNames(operation, http.names);
  const kinds = fieldKinds(operation);
  const choices = choicesOf(operation);
  const headers = Object.entries(http.headers ?? {});
  const hasBody = http.method === 'post' || http.method === 'patch';
  const isPaid = operation.movesMoney === true;
  const isOpen = isPublicRead(operation);

  return (
    request: Request,
    pathParameters: Record<string, string>,
    origin: Origin,
    uploads: Uploads | null,
  ): Call => {
    const upload =
      uploads !== null && hasBody && isUpload(request, http)
        ? createUpload(request, uploads, maxBodyBytesOf(http))
        : null;
    let bodyDigest: Digest | null = null;
    return {
      ...origin,
      upload,
      bodyDigest: () => bodyDigest,
      wireName: names.toWire,
      clientAddress: clientAddressOf(request.headers),
      referer: request.headers.get('referer'),
      headerFields: headers.length === 0 ? {} : headerFieldsOf(headers, request.headers),
      idempotencyKey: request.headers.get('idempotency-key'),
      bookmark: request.headers.get(BOOKMARK_HEADER),
      knownDigests: http.method === 'get' ? knownDigests(request.headers.get('if-none-match'), isPaid) : [],

      async readInput() {
        const sent = new SentFields(names, keysInHeaders(request.headers));
        const query = queryParameters(request.url);
        if (http.method !== 'get' && query.has(API_KEY_FIELD)) throw keyInQuery();
        if (hasBody) {
          const bytes = await readBytes(request, http, upload);
          if (http.digestsBody) bodyDigest = await sha256Digest(bytes);
          const body = readJsonObject(request, http, bytes);
          for (const [wireName, value] of Object.entries(body)) sent.add(wireName, value);
        } else if (http.queryField !== undefined) {
          sent.set(
            http.queryField,
            readQueryField(query, (text) => sent.add(API_KEY_FIELD, text)),
          );
        } else {
          for (const [wireName, text] of isOpen ? query : onceEach(query)) {
            const field = names.toField(wireName);
            if (text.trim() === '' && choices.has(field)) continue;
            const value = coerce(field, text, kinds);
            const earlier = sent.valueOf(field);
            // Two values are none.
            if (isOpen && earlier !== null && earlier !== value) sent.set(field, [earlier, value]);
            else sent.add(wireName, value);
          }
        }
        for (const [field, header] of headers) {
          const text = headerText(request.headers, header);
          if (text.trim() === '') continue;
          const value = coerce(field, text, kinds);
          const earlier = sent.valueOf(field);
          if (earlier === null) sent.set(field, value);
          // Two values are none. Operations with a body compare it with `headerFields` themselves.
          else if (!hasBody && earlier !== value) sent.set(field, [earlier, value]);
        }
        for (const [wireName, text] of Object.entries(pathParameters)) {
          const field = names.toField(wireName);
          const value = coerce(field, text, kinds);
          if (hasBody) sent.add(wireName, value);
          else sent.set(field, value);
        }
        return sent;
      },
    };
  };
}

/** Addresses are kept by browsers, proxies and logs: what changes something takes no key from one. */
function keyInQuery(): Refusal {
  const message = 'Only GET takes a key here: send it as `Authorization: Bearer`, or in the body.';
  return new Refusal(commonErrors.validation_failed, { fields: [{ message, path: API_KEY_FIELD }] });
}

function headerFieldsOf(
  aliases: readonly (readonly [field: string, header: string])[],
  headers: Headers,
): Record<string, string> {
  return Object.fromEntries(
    aliases
      .map(([field, name]) => [field, headerText(headers, name)] as const)
      .filter(([, text]) => text.trim() !== ''),
  );
}

/** A key is no field: of `Authorization`, a field takes the scheme `Payment` only. */
function headerText(headers: Headers, name: string): string {
  const text = headers.get(name) ?? '';
  return name !== 'Authorization' || /^Payment\s/i.test(text) ? text : '';
}

function coerce(field: string, text: string, kinds: ReadonlyMap<string, FieldKind>): unknown {
  return coerceText(text, kinds.get(field) ?? 'other');
}

function onceEach(query: URLSearchParams): URLSearchParams {
  const names = [...query.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return query;
  throw new Refusal(commonErrors.validation_failed, {
    fields: [{ message: 'This parameter is given more than once.', path: repeated }],
  });
}

/** The whole query string as one field, without the API key: the field may be shown to a seller. */
function readQueryField(query: URLSearchParams, takeKey: (text: string) => void): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, text] of query) {
    if (name === API_KEY_FIELD) takeKey(text);
    else defineMember(members, name, Object.hasOwn(members, name) ? [members[name], text].flat() : text);
  }
  return members;
}

/** Whether an answer may be for the holder of an API key only. */
export function carriesKey({ headers, url }: Request): boolean {
  return keysInHeaders(headers).length > 0 || new URL(url).searchParams.has(API_KEY_FIELD);
}

const maxBodyBytesOf = ({ maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: HttpBinding): number => maxBodyBytes;

function readBytes(request: Request, http: HttpBinding, upload: BodyUpload | null): Promise<Uint8Array> {
  const { files } = http;
  if (upload !== null) requireJson(request);
  return upload !== null && files !== undefined
    ? upload.receive(files)
    : readBody(request, files === undefined ? maxBodyBytesOf(http) : DEFAULT_MAX_BODY_BYTES);
}

function readJsonObject(request: Request, http: HttpBinding, bytes: Uint8Array): Record<string, unknown> {
  const { repeatsOwnJson } = http;
  if (bytes.length === 0) return {};
  requireJson(request);
  const maxDepth = repeatsOwnJson ? MAX_WRITTEN_DEPTH + 1 : MAX_JSON_DEPTH;
  const parsed = parseStrictJson(decode(bytes), repeatsOwnJson ? { ...AS_WRITTEN, maxDepth } : AS_SENT);
  if (!parsed.ok) throw jsonRefusal(parsed, maxDepth);
  if (!isJsonObject(parsed.value)) {
    throw new Refusal(commonErrors.malformed_json, { detail: 'The body must be one JSON object.' });
  }
  return parsed.value;
}

function requireJson(request: Request): void {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)) {
    throw new Refusal(commonErrors.unsupported_media_type);
  }
  if (!isInUtf8(contentType)) throw new Refusal(commonErrors.unsupported_media_type, { detail: ONLY_UTF8 });
}

const NOT_JSON = 'The body is not valid JSON in UTF-8.';

function jsonRefusal({ reason, path = '' }: StrictJsonResult & { ok: false }, maxDepth: number): Refusal {
  const malformed = (detail: string) => new Refusal(commonErrors.malformed_json, { detail });
  switch (reason) {
    case 'invalid':
      return malformed(NOT_JSON);
    case 'too_deep':
      return malformed(`The body is nested more than ${maxDepth} levels deep.`);
    case 'duplicate_key':
      return malformed('The body has an object with the same key twice.');
    case 'lone_surrogate':
      return malformed('The body has text that is not valid Unicode.');
    case 'too_many_values':
      return new Refusal(commonErrors.body_too_large, {
        detail: `Send at most ${MAX_JSON_VALUES} JSON values.`,
      });
    case 'number_not_exact':
      return new Refusal(commonErrors.number_not_exact, {
        fields: [{ message: 'Send it as a string.', path: path.slice(1).replaceAll('/', '.') }],
      });
  }
}

/** No longer than it declares, which HTTP sees to: read natively, it takes half the processor time of a stream's. */
const SMALL_BODY_BYTES = 64 * 1024;

async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = declaredLength(request);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  const bytes = await (declared <= SMALL_BODY_BYTES
    ? request.bytes()
    : readCapped(request.body, {
        maxBytes,
        declaredBytes: Number.isSafeInteger(declared) ? declared : null,
      })
  ).catch(() => {
    throw cutOff();
  });
  if (bytes === null) throw tooLarge(maxBytes);
  return bytes;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Refusal(commonErrors.malformed_json, { detail: NOT_JSON });
  }
}
