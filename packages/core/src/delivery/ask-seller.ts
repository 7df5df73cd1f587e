import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { DeliveryPurpose } from '@agent-marketplace/protocol/delivery-purpose.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { ReplyReading } from '../kernel/ports/seller-endpoint.ts';
import { callDeliverTool } from './call-deliver-tool.ts';
import {
  type CallbackType,
  type Expectation,
  failed,
  failedReply,
  type SellerAnswer,
  withoutReply,
} from './delivery.rules.ts';
import { readBody } from './read-reply.ts';
import type { SellerMessage } from './seller-messages.rules.ts';

/** What `askSeller` needs. */
export type DeliveryPorts = Pick<Ports, 'clock' | 'ids' | 'sellerEndpoint' | 'pollingMailbox'>;

/** The endpoint that is asked. */
export interface DeliveryTarget {
  readonly sellerId: string;
  readonly callbackType: CallbackType;
  /** Exactly as registered. Ignored for a seller who polls. */
  readonly callbackUrl: string | null;
  /** The revision that an MCP server was verified with. Left out or null: not known. */
  readonly mcpRevision?: string | null;
  /** Of a delivery_request. */
  readonly purpose?: DeliveryPurpose;
  /** Whether money was paid or is reserved for the answer: it finds room in a mailbox that is full of what is free. */
  readonly isPaid?: boolean;
}

/**
 * Names the seller that a message is for, so that registering the URL of another seller's server does not make it
 * answer. It is a header because the contract fixes the bodies. It needs no signature: only the marketplace can sign
 * a message for this URL, and it sends each with the header.
 */
function addressedTo(sellerId: string): Readonly<Record<string, string>> {
  return { [BRAND.header.sellerId]: sellerId };
}

/** Sends a message to a seller in the way that the seller chose, and has the reply read. */
export async function askSeller(
  ports: DeliveryPorts,
  target: DeliveryTarget,
  message: SellerMessage,
  expected: Expectation,
): Promise<SellerAnswer> {
  if (target.callbackType === 'polling') return askMailbox(ports, target, message, expected);
  const { callbackUrl, purpose, mcpRevision = null } = target;
  if (callbackUrl === null) return failed('no_endpoint');
  const headers = addressedTo(target.sellerId);
  if (target.callbackType === 'mcp')
    return callDeliverTool(ports, { callbackUrl, headers, purpose, mcpRevision }, message, expected);

  const { data, ...limits } = expected;
  const body = JSON.stringify(message);
  const reading = readingOf(data);
  const reply = await ports.sellerEndpoint.post({
    url: callbackUrl,
    body,
    headers,
    reading,
    ...purposeField(purpose),
    ...limits,
  });
  if (reply.kind !== 'replied') return withoutReply(reply);
  return reply.status === 404 ? { kind: 'unavailable' } : (reply.read ?? failedReply(reply));
}

/** Left out where there is none. */
function purposeField(purpose: DeliveryPurpose | undefined): { readonly purpose?: DeliveryPurpose } {
  return purpose === undefined ? {} : { purpose };
}

async function askMailbox(
  ports: DeliveryPorts,
  { sellerId, purpose, isPaid = false }: DeliveryTarget,
  message: SellerMessage,
  { timeoutMs, maxBytes, data }: Expectation,
): Promise<SellerAnswer> {
  const pending = {
    id: ports.ids.uuid(),
    kind: message.type,
    body: JSON.stringify(message),
    isPaid,
    ...purposeField(purpose),
  };
  const reply = await ports.pollingMailbox.ask(sellerId, pending, timeoutMs);
  switch (reply.kind) {
    case 'answered':
      // Read as it was sent when the seller posted it: this is the text that we made of it.
      return reply.body.length > maxBytes
        ? { kind: 'too_large' }
        : readBody(readingOf(data), reply.body, { limits: {} });
    case 'timed_out':
      return reply;
    case 'busy':
      return failed('mailbox_busy');
    case 'unavailable':
      return failed('mailbox_unavailable');
  }
}

function readingOf(data: ReplyReading['data']): ReplyReading {
  return { envelope: { kind: 'none' }, ...(data && { data }) };
}
