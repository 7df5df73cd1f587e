import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  AS_SENT,
  parseStrictJson,
  type StrictJsonLimits,
  type StrictJsonReason,
} from '@agent-marketplace/protocol/json/strict-json.ts';
import type { ReadReply } from '../kernel/ports/seller-endpoint.ts';
import { failed } from './delivery.rules.ts';

/** A reply's own object, or why there is none. */
export type ReadAnswer = Extract<ReadReply, { kind: 'answered' | 'failed' | 'too_large' }>;

/** Reads the JSON text of a reply. */
export function readAnswer(text: string, limits: StrictJsonLimits = AS_SENT): ReadAnswer {
  const parsed = parseStrictJson(text, limits);
  if (!parsed.ok) return unreadable(parsed.reason);
  return isJsonObject(parsed.value) ? { kind: 'answered', answer: parsed.value } : failed('not_an_object');
}

/** A reply that is not JSON, or not such as may be sold. */
export function unreadable(reason: StrictJsonReason): Exclude<ReadAnswer, { kind: 'answered' }> {
  if (reason === 'too_many_values') return { kind: 'too_large' };
  return failed(reason === 'number_not_exact' ? reason : 'not_json');
}

/** Null if the bytes are not UTF-8: a lenient decoder would let different bytes have one digest. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

/** The data in the answer to a delivery_request, or why there is none (clause: Delivery unavailable). */
export function dataOf(
  answer: JsonObject,
): { readonly kind: 'data'; readonly data: JsonObject } | Exclude<ReadReply, { kind: 'delivered' }> {
  if (answer.available === false) return { kind: 'unavailable' };
  if (!Object.hasOwn(answer, 'data')) return failed('no_data');
  const data = answer.data;
  return isJsonObject(data) ? { kind: 'data', data } : failed('not_an_object');
}
