import { sha256Digest } from '../kernel/crypto/digest.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import { isoTime } from '../kernel/time.ts';
import { askSeller, type DeliveryPorts, type DeliveryTarget } from './ask-seller.ts';
import {
  DELIVERY_MAX_BYTES,
  DELIVERY_TIMEOUT_MS,
  failed,
  type ReplyLimits,
  readDelivery,
  type SellerDelivery,
} from './delivery.rules.ts';
import { fitsOutputSchema } from './fits-output-schema.ts';
import { claimHolds, deliverableBytes } from './integrity.rules.ts';
import { type DeliveryRequest, deliveryMessage } from './seller-messages.rules.ts';

const LIMITS: ReplyLimits = { timeoutMs: DELIVERY_TIMEOUT_MS, maxBytes: DELIVERY_MAX_BYTES };

/**
 * Gets the data of a listing from its seller, live: deliverables come in no other way. They are held in memory
 * only. A failure is a value, never an exception.
 */
export async function deliver(
  ports: DeliveryPorts,
  request: DeliveryRequest,
  target: DeliveryTarget & { readonly outputSchema?: JsonObject | null },
  limits: ReplyLimits = LIMITS,
): Promise<SellerDelivery> {
  const message = deliveryMessage(request, isoTime(ports.clock.now()));
  const reply = await askSeller(ports, target, message, limits);
  if (reply.kind !== 'answered') return reply;
  const read = readDelivery(reply.answer);
  if (read.kind !== 'data') return read;
  if (!fitsOutputSchema(target.outputSchema ?? null, read.data)) return failed('schema_mismatch');

  const { content, claim } = deliverableBytes(read.data);
  if (claim && !claimHolds(claim.value, await sha256Digest(claim.bytes)))
    return { kind: 'integrity_mismatch' };
  return { kind: 'delivered', content, digest: await sha256Digest(content) };
}
