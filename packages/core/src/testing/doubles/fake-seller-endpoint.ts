import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { readReply } from '../../delivery/read-reply.ts';
import type {
  EndpointReply,
  EndpointRequest,
  HttpReply,
  NoReply,
  SellerEndpoint,
} from '../../kernel/ports/seller-endpoint.ts';

/** What happens to one message: nothing, or the connection breaks before or after the seller had it. */
type SellerFault = 'lose_request' | 'lose_reply' | undefined;

/** A reply as the seller sends it, before the relay reads it. */
export type ScriptedReply = HttpReply | NoReply;

type Script = (request: EndpointRequest) => ScriptedReply | Promise<ScriptedReply>;

/** A seller that answers by script and remembers what it was sent; replies are read as the relay reads them. */
export class FakeSellerEndpoint implements SellerEndpoint {
  readonly requests: EndpointRequest[] = [];
  /** May be replaced at any time. */
  script: Script;
  /** May be replaced at any time; asked, and waited for, before each message. */
  fault: () => SellerFault | Promise<SellerFault> = () => undefined;

  constructor(script: Script = sellerOf({})) {
    this.script = script;
  }

  async post(request: EndpointRequest): Promise<EndpointReply> {
    this.requests.push(request);
    const fault = await this.fault();
    if (fault === 'lose_request') return { kind: 'unreachable' };
    const reply = await this.script(request);
    if (fault === 'lose_reply') return { kind: 'timed_out' };
    if (reply.kind !== 'replied') return reply;
    return reply.body.length > request.maxBytes ? { kind: 'too_large' } : readReply(request.reading, reply);
  }
}

/**
 * A good server, which all sellers of a test share and which was told of each: repeats the nonce of challenges and names
 * the seller, and answers every delivery_request with this data.
 */
export function sellerOf(data: unknown): Script {
  return ({ body, headers }) => {
    const { type, nonce } = JSON.parse(body) as { type: string; nonce?: string };
    const sellerId = headers?.[BRAND.header.sellerId];
    return replied(type === 'verification_challenge' ? { nonce, sellerId } : { data });
  };
}

/** A reply; a string is sent as it is, anything else as JSON. */
export function replied(body: unknown, status = 200, headers: Record<string, string> = {}): HttpReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'replied', status, headers: new Headers(headers), body: new TextEncoder().encode(text) };
}
