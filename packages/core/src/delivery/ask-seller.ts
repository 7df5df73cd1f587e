import { BRAND } from '../kernel/brand.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { callDeliverTool } from './call-deliver-tool.ts';
import {
  type CallbackType,
  failed,
  type ReplyLimits,
  readSellerReply,
  type SellerAnswer,
  unanswered,
} from './delivery.rules.ts';
import type { SellerMessage } from './seller-messages.rules.ts';

/** What asking a seller takes. */
export type DeliveryPorts = Pick<Ports, 'clock' | 'ids' | 'sellerEndpoint' | 'pollingMailbox'>;

/** Where a seller is asked. */
export interface DeliveryTarget {
  readonly sellerId: string;
  readonly callbackType: CallbackType;
  /** Exactly as registered; a seller who polls needs none. */
  readonly callbackUrl: string | null;
}

/**
 * For which seller a message is: whoever registers the URL of somebody else's server cannot make it answer. The bodies
 * are fixed by the contract, so a header says it. It needs no signature: nobody but the marketplace can make a message
 * whose signature holds for this URL, and it sends each with the header.
 */
function addressedTo(sellerId: string): Readonly<Record<string, string>> {
  return { [BRAND.header.sellerId]: sellerId };
}

/** Sends a message to a seller, the way the seller chose, and reads what comes back as a JSON object. */
export async function askSeller(
  ports: DeliveryPorts,
  target: DeliveryTarget,
  message: SellerMessage,
  limits: ReplyLimits,
): Promise<SellerAnswer> {
  if (target.callbackType === 'polling') return askMailbox(ports, target.sellerId, message, limits);
  const { callbackUrl } = target;
  if (callbackUrl === null) return failed('no_endpoint');
  const headers = addressedTo(target.sellerId);
  if (target.callbackType === 'mcp') return callDeliverTool(ports, { callbackUrl, headers }, message, limits);

  const body = JSON.stringify(message);
  const reply = await ports.sellerEndpoint.post({ url: callbackUrl, body, headers, ...limits });
  return reply.kind === 'replied' ? readSellerReply(reply.status, reply.body) : unanswered(reply);
}

async function askMailbox(
  ports: DeliveryPorts,
  sellerId: string,
  message: SellerMessage,
  { timeoutMs, maxBytes }: ReplyLimits,
): Promise<SellerAnswer> {
  const pending = { id: ports.ids.uuid(), kind: message.type, body: JSON.stringify(message) };
  const reply = await ports.pollingMailbox.ask(sellerId, pending, timeoutMs);
  switch (reply.kind) {
    case 'answered':
      return reply.body.length > maxBytes ? { kind: 'too_large' } : readSellerReply(200, reply.body);
    case 'timed_out':
      return reply;
    case 'busy':
      return failed('mailbox_busy');
    case 'unavailable':
      return failed('mailbox_unavailable');
  }
}
