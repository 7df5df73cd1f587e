import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { isoTime } from '../kernel/time.ts';
import { askSeller, type DeliveryPorts, type DeliveryTarget } from './ask-seller.ts';
import {
  DELIVERY_MAX_BYTES,
  DELIVERY_TIMEOUT_MS,
  failed,
  type ReplyLimits,
  type SellerDelivery,
} from './delivery.rules.ts';
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
  const data = { outputSchema: target.outputSchema ?? null };
  const answer = await askSeller(ports, target, message, { ...limits, data });
  return answer.kind === 'answered' ? failed('no_data') : answer;
}
