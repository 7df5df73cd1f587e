import { isoTime } from '../kernel/time.ts';
import { askSeller, type DeliveryPorts, type DeliveryTarget } from './ask-seller.ts';
import {
  CHALLENGE_MAX_BYTES,
  CHALLENGE_TIMEOUT_MS,
  DELIVERY_FAILURES,
  type DeliveryFailure,
  type ReplyLimits,
  type SellerAnswer,
} from './delivery.rules.ts';
import { challengeMessage } from './seller-messages.rules.ts';

export type ChallengeRefusal =
  | Exclude<DeliveryFailure, 'no_data' | 'query_refused' | 'call_refused'>
  | 'wrong_nonce'
  | 'other_seller'
  | 'timed_out'
  | 'too_large';

export type ChallengeOutcome =
  | {
      readonly verified: true;
      /** The endpoint was set up for this seller, and says so. */
      readonly namesSeller: boolean;
      /** The revision that an MCP server answered in; null of any other endpoint. */
      readonly mcpRevision: string | null;
    }
  | {
      readonly verified: false;
      readonly reason: ChallengeRefusal;
      /** What the endpoint sent as `Retry-After`. */
      readonly retryAfter?: string;
    };

/** In hex it has 48 characters (clause: Event kinds). */
export const NONCE_BYTES = 24;

const LIMITS: ReplyLimits = { timeoutMs: CHALLENGE_TIMEOUT_MS, maxBytes: CHALLENGE_MAX_BYTES };

/** Why an endpoint was not verified, in a sentence for its seller. */
export function explainChallengeRefusal(reason: ChallengeRefusal): string {
  switch (reason) {
    case 'wrong_nonce':
      return 'The reply has no field `nonce` that equals the nonce sent.';
    case 'other_seller':
      return 'The reply has a field `sellerId` that names another seller.';
    case 'timed_out':
      return 'There was no complete reply within 15 seconds.';
    case 'too_large':
      return 'The reply is larger than 64 KB.';
    default:
      return DELIVERY_FAILURES[reason].text;
  }
}

/** Asks an endpoint to prove that it listens (clause: Delivery endpoint verification). Each nonce is used once. */
export async function challengeEndpoint(
  ports: DeliveryPorts,
  target: DeliveryTarget,
  nonce: string,
  limits: ReplyLimits = LIMITS,
): Promise<ChallengeOutcome> {
  const reply = await askSeller(ports, target, challengeMessage(nonce, isoTime(ports.clock.now())), limits);
  switch (reply.kind) {
    case 'answered':
      return readProof(reply, nonce, target.sellerId);
    case 'failed':
      if (reply.reason === 'no_data') return refuse('wrong_nonce');
      // There is no query that could be refused.
      return refuse(
        reply.reason === 'query_refused' || reply.reason === 'call_refused' ? 'bad_status' : reply.reason,
        'retryAfter' in reply ? reply.retryAfter : undefined,
      );
    // A challenge cannot be unavailable as a delivery can: this was an HTTP 404.
    case 'unavailable':
      return refuse('bad_status');
    case 'timed_out':
    case 'too_large':
      return refuse(reply.kind);
    // Read of deliveries only.
    case 'delivered':
    case 'integrity_mismatch':
      return refuse('wrong_nonce');
  }
}

/** `sellerId` is no part of the contract's reply: what a server says of its own accord is believed. */
function readProof(
  { answer, mcpRevision: revision }: Extract<SellerAnswer, { kind: 'answered' }>,
  nonce: string,
  sellerId: string,
): ChallengeOutcome {
  const mcpRevision = revision ?? null;
  if (answer.nonce !== nonce) return refuse('wrong_nonce');
  if (answer.sellerId === undefined) return { verified: true, namesSeller: false, mcpRevision };
  if (answer.sellerId !== sellerId) return refuse('other_seller');
  return { verified: true, namesSeller: true, mcpRevision };
}

function refuse(reason: ChallengeRefusal, retryAfter?: string): ChallengeOutcome {
  return { verified: false, reason, ...(retryAfter !== undefined && { retryAfter }) };
}
