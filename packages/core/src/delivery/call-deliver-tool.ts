import { BRAND } from '../kernel/brand.ts';
import type { DeliveryPurpose } from '../kernel/delivery-purpose.ts';
import type { Json, JsonObject } from '../kernel/json/json.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { EndpointReply } from '../kernel/ports/seller-endpoint.ts';
import { failed, failedStatus, type ReplyLimits, type SellerAnswer, unanswered } from './delivery.rules.ts';
import { INITIALIZE_PARAMS, MCP_REVISIONS, readRpcReply, readToolResult } from './mcp-messages.rules.ts';
import type { SellerMessage } from './seller-messages.rules.ts';

const INITIALIZE_ID = 1;
const CALL_ID = 2;
/** For servers whose tools do not see the headers; the first signature covers it, as it is in the body. */
const PURPOSE_META = `${BRAND.slug}/purchase`;
/** The characters that the MCP transport allows in a session id, which is sent back in a header. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/**
 * Calls the tool `deliver` of a seller's MCP server (Streamable HTTP): three signed POSTs that share one
 * time limit. The session is left to expire on the server.
 */
export async function callDeliverTool(
  ports: Pick<Ports, 'clock' | 'sellerEndpoint'>,
  target: {
    readonly callbackUrl: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly purpose: DeliveryPurpose | undefined;
  },
  message: SellerMessage,
  limits: ReplyLimits,
): Promise<SellerAnswer> {
  const deadline = ports.clock.now() + limits.timeoutMs;
  const { callbackUrl: url, purpose } = target;
  const headers: Record<string, string> = {
    ...target.headers,
    accept: 'application/json, text/event-stream',
  };

  async function post(
    call: JsonObject,
    about?: { readonly purpose: DeliveryPurpose },
  ): Promise<EndpointReply> {
    const timeoutMs = deadline - ports.clock.now();
    if (timeoutMs <= 0) return { kind: 'timed_out' };
    const body = JSON.stringify({ jsonrpc: '2.0', ...call });
    return ports.sellerEndpoint.post({ url, body, timeoutMs, maxBytes: limits.maxBytes, headers, ...about });
  }

  const hello = await post({ id: INITIALIZE_ID, method: 'initialize', params: INITIALIZE_PARAMS });
  const initialized = readRpc(INITIALIZE_ID, hello);
  if (initialized.kind !== 'result') return initialized;
  const session = hello.kind === 'replied' ? hello.headers.get('mcp-session-id') : null;
  const revision = initialized.result.protocolVersion;
  if (!isKnownRevision(revision) || (session !== null && !SESSION_ID.test(session))) {
    return failed('mcp_protocol_error');
  }
  headers['mcp-protocol-version'] = revision;
  if (session !== null) headers['mcp-session-id'] = session;

  const noted = await post({ method: 'notifications/initialized' });
  if (noted.kind !== 'replied') return unanswered(noted);
  const meta = purpose && { _meta: { [PURPOSE_META]: { ...purpose } } };
  const params = { name: 'deliver', arguments: { ...message }, ...meta };
  const call = { id: CALL_ID, method: 'tools/call', params };
  const called = readRpc(CALL_ID, await post(call, purpose && { purpose }));
  return called.kind === 'result' ? readToolResult(called.result) : called;
}

function readRpc(id: number, reply: EndpointReply) {
  if (reply.kind !== 'replied') return unanswered(reply);
  if (reply.status !== 200) return failedStatus(reply.status);
  return readRpcReply(id, reply.headers.get('content-type'), reply.body);
}

function isKnownRevision(revision: Json | undefined): revision is string {
  return typeof revision === 'string' && MCP_REVISIONS.includes(revision);
}
