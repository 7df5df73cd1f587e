import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { DeliveryPurpose } from '@agent-marketplace/protocol/delivery-purpose.ts';
import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { EndpointReply, ReplyReading } from '../kernel/ports/seller-endpoint.ts';
import {
  CHALLENGE_MAX_BYTES,
  type Expectation,
  failed,
  failedReply,
  type SellerAnswer,
  unanswered,
} from './delivery.rules.ts';
import { INITIALIZE_PARAMS, MCP_REVISIONS } from './mcp-messages.rules.ts';
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
  { data, ...limits }: Expectation,
): Promise<SellerAnswer> {
  const deadline = ports.clock.now() + limits.timeoutMs;
  const { callbackUrl: url, purpose } = target;
  const headers: Record<string, string> = {
    ...target.headers,
    accept: 'application/json, text/event-stream',
  };

  async function post(
    call: JsonObject,
    about: { readonly reading?: ReplyReading; readonly purpose?: DeliveryPurpose } = {},
  ): Promise<EndpointReply> {
    const timeoutMs = deadline - ports.clock.now();
    if (timeoutMs <= 0) return { kind: 'timed_out' };
    const body = JSON.stringify({ jsonrpc: '2.0', ...call });
    // What is read as it is comes back to this Worker as an object: it must be small.
    const maxBytes = about.reading?.data ? limits.maxBytes : Math.min(limits.maxBytes, CHALLENGE_MAX_BYTES);
    return ports.sellerEndpoint.post({
      url,
      body,
      timeoutMs,
      maxBytes,
      headers,
      ...about,
    });
  }

  const hello = await post(
    { id: INITIALIZE_ID, method: 'initialize', params: INITIALIZE_PARAMS },
    { reading: { envelope: { kind: 'rpc', id: INITIALIZE_ID } } },
  );
  const initialized = answerOf(hello);
  if (initialized.kind !== 'answered') return initialized;
  const session = hello.kind === 'replied' ? hello.session : null;
  const revision = initialized.answer.protocolVersion;
  if (!isKnownRevision(revision) || (session !== null && !SESSION_ID.test(session))) {
    return failed('mcp_protocol_error');
  }
  headers['mcp-protocol-version'] = revision;
  if (session !== null) headers['mcp-session-id'] = session;

  const noted = await post({ method: 'notifications/initialized' });
  if (noted.kind !== 'replied') return unanswered(noted);
  const meta = purpose && { _meta: { [PURPOSE_META]: { ...purpose } } };
  const params = { name: 'deliver', arguments: { ...message }, ...meta };
  const reading: ReplyReading = { envelope: { kind: 'tool', id: CALL_ID }, ...(data && { data }) };
  const call = { id: CALL_ID, method: 'tools/call', params };
  return answerOf(await post(call, { reading, ...(purpose && { purpose }) }));
}

function answerOf(reply: EndpointReply): SellerAnswer {
  if (reply.kind !== 'replied') return unanswered(reply);
  return reply.read ?? failedReply(reply);
}

function isKnownRevision(revision: Json | undefined): revision is string {
  return typeof revision === 'string' && MCP_REVISIONS.includes(revision);
}
