import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  AS_SENT,
  parseStrictJson,
  type StrictJsonReason,
} from '@agent-marketplace/protocol/json/strict-json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import type { HttpUpstream, McpUpstream } from './gateway-config.ts';
import type { ToolReply, ToolResult, UpstreamReply } from './upstream-reply.ts';

/**
 * A refusal's HTTP status tells the marketplace whose doing it is, and whether trying again may help: see docs/gateway.md.
 * What the marketplace would call final of an answer of its own, such as data that does not fit, is 501.
 */
export type RefusalStatus = 403 | 422 | 429 | 501 | 502 | 503 | 504;

/** What the gateway answers. `note` is for the seller's log, and repeats nothing of the query or the answer. */
export type DeliveryOutcome =
  | { readonly kind: 'data'; readonly data: JsonObject }
  | { readonly kind: 'unavailable'; readonly note: string }
  | {
      readonly kind: 'refusal';
      readonly status: RefusalStatus;
      readonly retryAfter: string | null;
      readonly note: string;
    };

export const refusal = (
  status: RefusalStatus,
  note: string,
  retryAfter: string | null = null,
): DeliveryOutcome => ({ kind: 'refusal', status, retryAfter, note });

/** The buyer's query is at fault. */
const OF_QUERY = [400, 409, 413, 414, 416, 422];
const NOTHING_THERE = [204, 205, 404, 410];

/** What an answer over HTTP is to the buyer. */
export function judgeReply(reply: UpstreamReply, answer: HttpUpstream['answer']): DeliveryOutcome {
  switch (reply.kind) {
    case 'redirected_elsewhere':
      return refusal(
        501,
        'The upstream redirected where the gateway does not follow: only GET is, on the same host, three times. Put the address that it leads to into the listing.',
      );
    case 'too_large':
      return refusal(501, 'The answer of the upstream is larger than a delivery may be (10 MB).');
    case 'timed_out':
      return refusal(504, 'The upstream did not answer in time.');
    case 'unreachable':
      return refusal(502, `The upstream could not be reached (${reply.reason}).`);
    case 'replied':
      return judgeStatus(reply) ?? readBody(reply, answer);
  }
}

type Replied = Extract<UpstreamReply, { kind: 'replied' }>;

/** Null where there is an answer to read. */
function judgeStatus({ status, retryAfter, body }: Replied): DeliveryOutcome | null {
  const retry = retryAfter !== null && /^[\x20-\x7e]{1,64}$/.test(retryAfter) ? retryAfter : null;
  // A 410 of the gateway's own would end the marketplace's checks of this endpoint.
  if (NOTHING_THERE.includes(status))
    return { kind: 'unavailable', note: `The upstream has nothing (HTTP ${status}).` };
  if (status >= 200 && status < 300)
    return body.length === 0 ? { kind: 'unavailable', note: 'The answer of the upstream is empty.' } : null;
  if (OF_QUERY.includes(status)) return refusal(422, `The upstream refused the query (HTTP ${status}).`);
  if (status === 401 || status === 403)
    return refusal(403, `The upstream refused your credentials (HTTP ${status}).`);
  if (status === 429) return refusal(429, 'The upstream asks for fewer requests (HTTP 429).', retry);
  if (status === 408 || status === 504)
    return refusal(504, `The upstream took too long (HTTP ${status}).`, retry);
  if (status === 503) return refusal(503, 'The upstream is not available now (HTTP 503).', retry);
  if (status < 500 || status === 501)
    return refusal(501, `The upstream refused a request that the gateway made (HTTP ${status}).`);
  return refusal(502, `The upstream failed (HTTP ${status}).`);
}

function readBody({ contentType, body }: Replied, answer: HttpUpstream['answer']): DeliveryOutcome {
  const text = decode(body);
  if (text === null) return refusal(501, 'The answer of the upstream is not UTF-8.');
  const isHtml = /\bhtml\b/i.test(contentType ?? '') || /^\s*<(!doctype html|html)\b/i.test(text);
  if (isHtml) return refusal(501, 'The upstream answered with a page (HTML), and not with data.');
  return readText(text, answer);
}

/** The text of an answer as the object that is sold. */
function readText(text: string, answer: 'object' | 'items' | 'text'): DeliveryOutcome {
  if (answer === 'text') return { kind: 'data', data: { text } };
  const parsed = parseStrictJson(text, AS_SENT);
  if (!parsed.ok) return refusal(501, `The answer of the upstream ${UNSALEABLE[parsed.reason]}.`);
  const { value } = parsed;
  if (answer === 'items')
    return Array.isArray(value)
      ? { kind: 'data', data: { items: value } }
      : refusal(501, 'The answer of the upstream is not a list.');
  return isJsonObject(value)
    ? { kind: 'data', data: value }
    : refusal(501, 'The answer of the upstream is not an object.');
}

const UNSALEABLE: Readonly<Record<StrictJsonReason, string>> = {
  invalid: 'is not JSON',
  too_deep: 'is nested more than 64 deep',
  too_many_values: 'has more than 200,000 values',
  duplicate_key: 'has an object with the same key twice',
  number_not_exact:
    'has a number that no double holds exactly: only an upstream that sends it as a text can be sold',
  lone_surrogate: 'is not valid Unicode',
};

/** What an MCP server answers, or why there is no answer. */
export function judgeToolReply(reply: ToolReply, answer: McpUpstream['answer']): DeliveryOutcome {
  switch (reply.kind) {
    case 'answered':
      return judgeToolResult(reply.result, answer);
    case 'protocol_error':
      return reply.code === INVALID_PARAMS
        ? refusal(422, 'The MCP server does not take these arguments.')
        : refusal(502, `The MCP server answered with the error ${reply.code} of the protocol.`);
    case 'http_status': {
      const { status, retryAfter } = reply;
      const judged = judgeStatus({
        kind: 'replied',
        status,
        retryAfter,
        contentType: null,
        body: new Uint8Array(),
      });
      // Whatever the status, it is of the connection: the query travels inside.
      const isOfConnection = judged === null || judged.kind !== 'refusal' || judged.status === 422;
      return isOfConnection ? refusal(501, `What answers is no MCP server (HTTP ${status}).`) : judged;
    }
    default:
      return judgeReply(reply, 'object');
  }
}

const INVALID_PARAMS = -32602;

export function judgeToolResult(result: ToolResult, answer: McpUpstream['answer']): DeliveryOutcome {
  // A tool has no other way to refuse a query.
  if (result.isError === true) return refusal(422, 'The tool answered with an error.');
  if (answer === 'structured') {
    return isJsonObject(result.structuredContent)
      ? { kind: 'data', data: result.structuredContent }
      : refusal(501, 'The tool answered without structured content.');
  }
  const texts = (result.content ?? []).filter(({ type }) => type === 'text');
  if (texts.length === 0) return refusal(501, 'The tool answered without text.');
  return readText(texts.map(({ text }) => text ?? '').join('\n'), answer === 'json' ? 'object' : answer);
}

/** Data that may be sold: what fits the listing, and shows none of the secrets that got it. */
export function judgeData(
  outcome: DeliveryOutcome,
  outputSchema: JsonObject | null,
  isEcho: (data: JsonObject) => boolean,
): DeliveryOutcome {
  if (outcome.kind !== 'data') return outcome;
  const { data } = outcome;
  if (isEcho(data))
    return refusal(501, 'The answer of the upstream repeats your credentials. It was not delivered.');
  const faults = outputSchema === null ? [] : evaluateSchema(outputSchema, data);
  if (faults === null)
    return refusal(501, 'To check the answer against the outputSchema takes too many steps.');
  const [first] = faults;
  if (first === undefined) return outcome;
  const place = first.path.length === 0 ? 'the answer' : first.path.join('.');
  return refusal(
    501,
    `The answer of the upstream does not fit the listing's outputSchema, at ${place}: ${first.message}`,
  );
}

function decode(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body);
  } catch {
    return null;
  }
}
