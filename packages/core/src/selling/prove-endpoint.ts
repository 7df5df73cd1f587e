import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import {
  type CallbackType,
  type ChallengeRefusal,
  challengeEndpoint,
  explainChallengeRefusal,
  MAILBOX_RETRY_SECONDS,
  NONCE_BYTES,
} from '../delivery/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { dailyLimitReached } from '../kernel/operation/refusal-of.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { sellingErrors } from './selling.errors.ts';
import { countProbe, uncountProbe } from './selling.store.ts';

export const proofErrors = [sellingErrors.endpoint_not_verified, sellingErrors.endpoint_timed_out];

interface Proof {
  /** Whether the endpoint was set up for this agent, and says so. */
  readonly namesSeller: boolean;
  /** The revision that an MCP server answered in; null of any other endpoint. */
  readonly mcpRevision: string | null;
  /** Commit them with what the proof is for. */
  readonly onSuccess: readonly Statement[];
}

/**
 * Has an endpoint answer a challenge with its nonce, or refuses. A check that fails costs a host that was never asked: it
 * counts before it is made, and no more once it passed.
 */
export async function proveEndpoint(
  { ports, now }: Pick<OperationContext, 'ports' | 'now'>,
  endpoint: { readonly sellerId: string; readonly callbackUrl: string; readonly callbackType: CallbackType },
): Promise<Proof> {
  const { sellerId: agentId, callbackUrl: url, callbackType } = endpoint;
  const probe = callbackType === 'polling' ? null : { agentId, url };
  if (probe && !(await countProbe(ports.market, probe, now))) throw dailyLimitReached(now);
  const nonce = toHex(ports.ids.randomBytes(NONCE_BYTES));
  const outcome = await challengeEndpoint(ports, endpoint, nonce);
  if (!outcome.verified) throw refusalFor(outcome.reason);
  const { namesSeller, mcpRevision } = outcome;
  return { namesSeller, mcpRevision, onSuccess: probe ? [uncountProbe(probe, now)] : [] };
}

/** The refusal in the marketplace's own words: an endpoint's text is never repeated. */
function refusalFor(reason: ChallengeRefusal): Refusal {
  const detail = explainChallengeRefusal(reason);
  switch (reason) {
    case 'timed_out':
      return new Refusal(sellingErrors.endpoint_timed_out, { detail });
    // The marketplace's own mailbox failed: the seller is not to blame.
    case 'mailbox_unavailable':
      return new Refusal(commonErrors.service_unavailable, { detail, retryAfterSeconds: 2 });
    case 'mailbox_busy':
      return new Refusal(commonErrors.rate_limited, { detail, retryAfterSeconds: MAILBOX_RETRY_SECONDS });
    default:
      return new Refusal(sellingErrors.endpoint_not_verified, { detail });
  }
}
