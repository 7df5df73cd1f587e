import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { IsoTime } from '../kernel/time.ts';

/** What a buyer asks of a listing. */
export interface DeliveryRequest {
  readonly listingId: string;
  readonly fingerprint: string;
  readonly title: string;
  readonly verticalSlug: string;
  /** The buyer's query. Without one sellers get an empty object, so that they can always read from it. */
  readonly query: JsonObject | null;
}

/** The bodies of the two events that sellers receive (clause: Event kinds). */
export type SellerMessage =
  | (Omit<DeliveryRequest, 'query'> & {
      readonly type: 'delivery_request';
      readonly query: JsonObject;
      readonly issuedAt: IsoTime;
    })
  | {
      readonly type: 'verification_challenge';
      readonly nonce: string;
      readonly issuedAt: IsoTime;
      readonly instructions: string;
    };

export function deliveryMessage(request: DeliveryRequest, issuedAt: IsoTime): SellerMessage {
  const { listingId, fingerprint, title, verticalSlug, query } = request;
  return {
    type: 'delivery_request',
    listingId,
    fingerprint,
    title,
    verticalSlug,
    query: query ?? {},
    issuedAt,
  };
}

export function challengeMessage(nonce: string, issuedAt: IsoTime): SellerMessage {
  return { type: 'verification_challenge', nonce, issuedAt, instructions: INSTRUCTIONS };
}

const INSTRUCTIONS =
  'Answer within 15 seconds with a JSON object whose field "nonce" equals the nonce of this message: a ' +
  'webhook with HTTP 200, an MCP server as the result of its tool "deliver", a polling seller with ' +
  'POST /sell/deliveries/{id}.';
