import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { MAX_JSON_DEPTH } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { AS_SENT, parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { failed } from './delivery.rules.ts';
import { type ReadAnswer, readAnswer, unreadable } from './reply-text.rules.ts';

/** The revision without sessions: each request says all that its server has to know. */
export const STATELESS_REVISION = '2026-07-28';
/**
 * The revisions that begin with `initialize`, newest first. The first is requested and any is accepted: they do not differ
 * in what is used here.
 */
export const SESSION_REVISIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const CLIENT_INFO: JsonObject = { name: BRAND.platform, version: BRAND.apiVersion };

export const INITIALIZE_PARAMS: JsonObject = {
  protocolVersion: SESSION_REVISIONS[0] ?? '',
  capabilities: {},
  clientInfo: CLIENT_INFO,
};

/** What a stateless request says in `params._meta`. */
export const STATELESS_META: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
  'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** `result` and `structuredContent` wrap the answer that a webhook would give. */
const ENVELOPE_DEPTH = 2;

/** The result of the JSON-RPC request with this id, from a JSON body or an event stream. */
export function readRpcReply(id: number, contentType: string | null, text: string): ReadAnswer {
  const isStream = contentType?.trimStart().toLowerCase().startsWith('text/event-stream') ?? false;
  const candidates = isStream ? eventData(text) : [text];
  for (const candidate of candidates) {
    const parsed = parseStrictJson(candidate, {
      ...AS_SENT,
      maxDepth: MAX_JSON_DEPTH + ENVELOPE_DEPTH,
    });
    if (!parsed.ok) return unreadable(parsed.reason);
    // A stream may carry notifications and requests of the server before the response.
    if (!isJsonObject(parsed.value) || parsed.value.id !== id || 'method' in parsed.value) continue;
    const result = parsed.value.result;
    return isJsonObject(result) ? { kind: 'answered', answer: result } : failed('mcp_protocol_error');
  }
  return failed('mcp_protocol_error');
}

/** What the tool `deliver` answered: `structuredContent`, or else the JSON in its first text content. */
export function readToolResult(result: JsonObject): ReadAnswer {
  // A stateless server may ask for more input instead of answering; nobody here could give it.
  if (result.resultType !== undefined && result.resultType !== 'complete')
    return failed('mcp_protocol_error');
  if (result.isError === true) return failed('mcp_tool_error');
  const structured = result.structuredContent;
  if (isJsonObject(structured)) return { kind: 'answered', answer: structured };
  const content = result.content;
  const text = Array.isArray(content) ? firstText(content) : undefined;
  return text === undefined ? failed('no_data') : readAnswer(text);
}

function firstText(content: readonly Json[]): string | undefined {
  const item = content.find((part) => isJsonObject(part) && part.type === 'text');
  const text = isJsonObject(item) ? item.text : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The data of each event of an event stream (WHATWG server-sent events). */
function* eventData(stream: string): Generator<string> {
  let data: string[] = [];
  for (const line of stream.split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
}
