import { isoTime } from '../kernel/time.ts';
import { askSeller, type DeliveryPorts, type DeliveryTarget } from './ask-seller.ts';
import {
  CHALLENGE_MAX_BYTES,
  CHALLENGE_TIMEOUT_MS,
  DELIVERY_FAILURES,
  type DeliveryFailure,
  type ReplyLimits,
} from './delivery.rules.ts';
import { challengeMessage } from './seller-messages.rules.ts';

export type ChallengeRefusal =
  | Exclude<DeliveryFailure, 'no_data' | 'query_refused'>
  | 'wrong_nonce'
  | 'timed_out'
  | 'too_large';

export type ChallengeOutcome =
  | { readonly verified: true }
  | { readonly verified: false; readonly reason: ChallengeRefusal };

const LIMITS: ReplyLimits = { timeoutMs: CHALLENGE_TIMEOUT_MS, maxBytes: CHALLENGE_MAX_BYTES };

/** Why an endpoint was not verified, in a sentence for its seller. */
export function explainChallengeRefusal(reason: ChallengeRefusal): string {
  switch (reason) {
    case 'wrong_nonce':
      return 'The reply has no field `nonce` that equals the nonce sent.';
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
      return reply.answer.nonce === nonce ? { verified: true } : refuse('wrong_nonce');
    case 'failed':
      if (reply.reason === 'no_data') return refuse('wrong_nonce');
      // There is no query that could be refused.
      return refuse(reply.reason === 'query_refused' ? 'bad_status' : reply.reason);
    // A challenge cannot be unavailable as a delivery can: this was an HTTP 404.
    case 'unavailable':
      return refuse('bad_status');
    default:
      return refuse(reply.kind);
  }
}

function refuse(reason: ChallengeRefusal): ChallengeOutcome {
  return { verified: false, reason };
}
