import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { callTool } from './call-tool.ts';
import { callUpstream } from './call-upstream.ts';
import { repeatsCredential } from './find-echo.rules.ts';
import type { GatewayListing, HttpUpstream, McpUpstream, Upstream } from './gateway-config.ts';
import {
  type DeliveryOutcome,
  judgeData,
  judgeReply,
  judgeToolReply,
  refusal,
} from './upstream-answer.rules.ts';
import { buildUpstreamRequest, credentialHeaders, type Secrets } from './upstream-request.rules.ts';

export interface Asking {
  readonly secrets: Secrets;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/** What an answer comes to if it is read in one of the ways in which it can be sold. */
export type ReadAs = (answer: Upstream['answer']) => DeliveryOutcome;

/** Asks the upstream of a listing for what a query wants. */
export async function askUpstream(
  { upstream, inputSchema, outputSchema, timeoutMs }: GatewayListing,
  query: JsonObject,
  asking: Omit<Asking, 'timeoutMs'>,
): Promise<DeliveryOutcome> {
  const faults = inputSchema === null ? [] : evaluateSchema(inputSchema as JsonObject, query);
  if (faults === null || faults.length > 0) return refusal(422, 'The query does not fit the inputSchema.');
  const readAs = await callOnce(upstream, query, { ...asking, timeoutMs });
  return judgeData(readAs(upstream.answer), outputSchema as JsonObject | null, (data) =>
    repeatsCredential(data, upstream.credentials, asking.secrets),
  );
}

/** One call, whose answer can then be read in several ways. */
export function callOnce(upstream: Upstream, query: JsonObject, asking: Asking): Promise<ReadAs> {
  return upstream.kind === 'http' ? callHttp(upstream, query, asking) : callMcp(upstream, query, asking);
}

async function callHttp(
  upstream: HttpUpstream,
  query: JsonObject,
  { secrets, fetch, timeoutMs }: Asking,
): Promise<ReadAs> {
  const built = buildUpstreamRequest(upstream, query, secrets);
  if (built.kind === 'unusable') {
    const { member, message } = built.fault;
    return () => refusal(422, `The query cannot be sent: ${member}: ${message}`);
  }
  const reply = await callUpstream(built.request, { signal: AbortSignal.timeout(timeoutMs), fetch });
  return (answer) => judgeReply(reply, answer as HttpUpstream['answer']);
}

async function callMcp(
  { url, tool, credentials }: McpUpstream,
  query: JsonObject,
  { secrets, fetch, timeoutMs }: Asking,
): Promise<ReadAs> {
  const server = { url, headers: credentialHeaders(credentials, secrets) };
  const reply = await callTool(server, { tool, query }, { signal: AbortSignal.timeout(timeoutMs), fetch });
  return (answer) => judgeToolReply(reply, answer as McpUpstream['answer']);
}
