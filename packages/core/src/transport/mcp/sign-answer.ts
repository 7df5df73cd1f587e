import { provenanceOf, serialise } from '@agent-marketplace/protocol/crypto/seal.ts';
import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { RequestScope } from '../http/mount.ts';
import type { MessageId } from './message.ts';
import { META } from './names.ts';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer of JSON-RPC, as the library writes it. */
interface RpcAnswer {
  readonly id: MessageId | null;
  readonly result?: JsonObject;
  readonly error?: RpcError;
}

interface CanonicalResult {
  readonly text: string;
  readonly digest: Digest;
}

/** These are the same for every caller of a base URL and revision, and the tools are long. */
const LISTS: ReadonlySet<string> = new Set([
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'tools/list',
]);
/** Their result says nothing, and clients test that it is empty: a signature in it would fail them. */
const EMPTY_RESULTS: ReadonlySet<string> = new Set(['logging/setLevel', 'ping']);
/** The caller chooses the base URL; more entries would let it fill the memory. */
const MAX_LISTS = 16;
const RESULT = '{"result":';

/** Signs the JSON-RPC answers that are no results of tools, which are signed already. */
export function createAnswerSigner() {
  const lists = new Map<string, CanonicalResult>();

  async function canonicalList(resultText: string): Promise<CanonicalResult> {
    const known = lists.get(resultText);
    if (known) return known;
    const list = await canonicalResult(JSON.parse(resultText) as JsonObject);
    if (lists.size >= MAX_LISTS) lists.clear();
    lists.set(resultText, list);
    return list;
  }

  /** The signed text of an answer to a request with this method and id. */
  return async (text: string, method: string, id: MessageId | null, scope: RequestScope): Promise<string> => {
    const end = `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
    if (LISTS.has(method) && text.startsWith(RESULT) && text.endsWith(end)) {
      return signResult(id, await canonicalList(text.slice(RESULT.length, -end.length)), scope);
    }
    const answer = JSON.parse(text) as RpcAnswer;
    if (answer.error !== undefined) return signError(answer.id ?? null, answer.error, scope);
    if (EMPTY_RESULTS.has(method)) return text;
    return signResult(answer.id, await canonicalResult(answer.result ?? {}), scope);
  };
}

/** An empty `_meta` is left out: without its provenance, the answer then has none either. */
async function canonicalResult({ _meta, ...rest }: JsonObject): Promise<CanonicalResult> {
  const hasMeta = isJsonObject(_meta) && Object.keys(_meta).length > 0;
  const { bytes, digest } = await serialise(hasMeta ? { ...rest, _meta } : rest);
  return { text: new TextDecoder().decode(bytes), digest };
}

/** `_meta` sorts before every other member of a result, and its provenance before what the library adds to it. */
async function signResult(
  id: MessageId | null,
  { text, digest }: CanonicalResult,
  scope: RequestScope,
): Promise<string> {
  const provenance = `${JSON.stringify(META.provenance)}:${JSON.stringify(await provenanceFor(digest, scope))}`;
  const [start, rest] = text.startsWith('{"_meta":{')
    ? [`{"_meta":{${provenance},`, text.slice('{"_meta":{'.length)]
    : [`{"_meta":{${provenance}}${text === '{}' ? '' : ','}`, text.slice(1)];
  return `{"id":${JSON.stringify(id)},"jsonrpc":"2.0","result":${start}${rest}}`;
}

/** With `requestId`, `data` has a member of its own: what the digest is over does not depend on how `data` is emptied. */
export async function signError(
  id: MessageId | null,
  { code, message, data = {} }: RpcError,
  scope: RequestScope,
): Promise<string> {
  const members: Readonly<Record<string, unknown>> = isJsonObject(data) ? data : { cause: data };
  const { provenance: _, ...details } = members;
  const { requestId } = scope.origin;
  const { bytes, digest } = await serialise({ code, data: { ...details, requestId }, message });
  const error = JSON.parse(new TextDecoder().decode(bytes)) as { data: JsonObject };
  const provenance = await provenanceFor(digest, scope);
  return JSON.stringify({ error: { ...error, data: { ...error.data, provenance } }, id, jsonrpc: '2.0' });
}

/** The provenance of what has this digest, for the caller of a message. */
export function provenanceFor(digest: Digest, { runtime, origin }: RequestScope) {
  const { signer, clock } = runtime.ports;
  return provenanceOf(digest, signer, clock.now(), origin.baseUrl);
}
