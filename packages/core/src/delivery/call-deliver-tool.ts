import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { DeliveryPurpose } from '@agent-marketplace/protocol/delivery-purpose.ts';
import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { EndpointReply, EndpointRequest } from '../kernel/ports/seller-endpoint.ts';
import {
  CHALLENGE_MAX_BYTES,
  type Expectation,
  failed,
  failedReply,
  isNotUnderstood,
  type SellerAnswer,
  withoutReply,
} from './delivery.rules.ts';
import {
  INITIALIZE_PARAMS,
  SESSION_REVISIONS,
  STATELESS_META,
  STATELESS_REVISION,
} from './mcp-messages.rules.ts';
import type { SellerMessage } from './seller-messages.rules.ts';

const INITIALIZE_ID = 1;
const CALL_ID = 2;
const TOOL = 'deliver';
/** For servers whose tools do not see the headers; the first signature covers it, as it is in the body. */
const PURPOSE_META = `${BRAND.slug}/purchase`;
/** The characters that the MCP transport allows in a session id, which is sent back in a header. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/** One way of calling the tool. */
interface Attempt {
  readonly answer: SellerAnswer;
  /** The server speaks another revision: it refused this one before its tool was called. */
  readonly isOtherRevision: boolean;
}

type Post = (
  call: JsonObject,
  about: Pick<EndpointRequest, 'reading' | 'purpose'> & {
    readonly headers: Readonly<Record<string, string>>;
  },
) => Promise<EndpointReply>;

interface ToolCall {
  readonly params: JsonObject;
  /** Members of `params._meta`. */
  readonly meta: JsonObject;
  readonly about: Pick<EndpointRequest, 'reading' | 'purpose'>;
}

/**
 * Calls the tool `deliver` of a seller's MCP server (Streamable HTTP) with signed POSTs that share one time limit: one POST
 * where the server speaks the stateless revision, three where it wants a session, which is left to expire there. A server
 * that speaks another revision than it is known for, or is not known yet, is asked in the other way after it refused the
 * first; after a timeout it is not, because its tool may have worked.
 */
export async function callDeliverTool(
  ports: Pick<Ports, 'clock' | 'sellerEndpoint'>,
  target: {
    readonly callbackUrl: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly purpose: DeliveryPurpose | undefined;
    /** Null: not known. */
    readonly mcpRevision: string | null;
  },
  message: SellerMessage,
  { data, ...limits }: Expectation,
): Promise<SellerAnswer> {
  const deadline = ports.clock.now() + limits.timeoutMs;
  const { callbackUrl: url, purpose } = target;

  const post: Post = async (call, { headers, ...about }) => {
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
      headers: { ...target.headers, accept: 'application/json, text/event-stream', ...headers },
      ...about,
    });
  };

  const call: ToolCall = {
    params: { name: TOOL, arguments: { ...message } },
    meta: purpose === undefined ? {} : { [PURPOSE_META]: { ...purpose } },
    about: {
      reading: { envelope: { kind: 'tool', id: CALL_ID }, ...(data && { data }) },
      ...(purpose && { purpose }),
    },
  };
  const isStateless = target.mcpRevision === null || target.mcpRevision === STATELESS_REVISION;
  const [first, second] = isStateless ? [callStateless, callInSession] : [callInSession, callStateless];
  const attempt = await first(post, call);
  if (!attempt.isOtherRevision) return attempt.answer;
  const other = await second(post, call);
  return other.isOtherRevision ? attempt.answer : other.answer;
}

async function callStateless(post: Post, { params, meta, about }: ToolCall): Promise<Attempt> {
  const headers = {
    'mcp-protocol-version': STATELESS_REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': TOOL,
  };
  const reply = await post(
    { id: CALL_ID, method: 'tools/call', params: { ...params, _meta: { ...STATELESS_META, ...meta } } },
    { headers, ...about },
  );
  const answer = answerOf(reply, STATELESS_REVISION);
  // Some servers that want a session say so with HTTP 200. For a challenge, which sells nothing, that is enough to go on.
  const isRefused =
    about.reading?.data === undefined && answer.kind === 'failed' && answer.reason === 'mcp_protocol_error';
  return { answer, isOtherRevision: isRefused || isUnknownToServer(reply) };
}

async function callInSession(post: Post, { params, meta, about }: ToolCall): Promise<Attempt> {
  const hello = await post(
    { id: INITIALIZE_ID, method: 'initialize', params: INITIALIZE_PARAMS },
    { headers: {}, reading: { envelope: { kind: 'rpc', id: INITIALIZE_ID } } },
  );
  const initialized = answerOf(hello);
  if (initialized.kind !== 'answered')
    return { answer: initialized, isOtherRevision: isUnknownToServer(hello) };
  const session = hello.kind === 'replied' ? hello.session : null;
  const revision = initialized.answer.protocolVersion;
  if (!isSessionRevision(revision) || (session !== null && !SESSION_ID.test(session)))
    return { answer: failed('mcp_protocol_error'), isOtherRevision: false };
  const headers = {
    'mcp-protocol-version': revision,
    ...(session !== null && { 'mcp-session-id': session }),
  };

  const noted = await post({ method: 'notifications/initialized' }, { headers });
  if (noted.kind !== 'replied') return { answer: withoutReply(noted), isOtherRevision: false };
  const withMeta = Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
  const reply = await post({ id: CALL_ID, method: 'tools/call', params: withMeta }, { headers, ...about });
  return { answer: answerOf(reply, revision), isOtherRevision: false };
}

function answerOf(reply: EndpointReply, mcpRevision?: string): SellerAnswer {
  if (reply.kind !== 'replied') return withoutReply(reply);
  if (reply.read === null) return failedReply(reply);
  return mcpRevision !== undefined && reply.read.kind === 'answered'
    ? { ...reply.read, mcpRevision }
    : reply.read;
}

function isUnknownToServer(reply: EndpointReply): boolean {
  return reply.kind === 'replied' && isNotUnderstood(reply.status);
}

function isSessionRevision(revision: Json | undefined): revision is string {
  return typeof revision === 'string' && SESSION_REVISIONS.includes(revision);
}
