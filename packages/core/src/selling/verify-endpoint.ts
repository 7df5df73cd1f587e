import type { z } from 'zod';
import { insertSeller, recordActivation, requireCallableUrl } from '../agents/index.ts';
import {
  type CallbackType,
  type ChallengeRefusal,
  challengeEndpoint,
  explainChallengeRefusal,
  isEndpointConflict,
  isEndpointTaken,
  saveVerifiedEndpoint,
} from '../delivery/index.ts';
import { toHex } from '../kernel/crypto/encoding.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { activatePendingListings, refreshAfterChange } from '../listings/index.ts';
import type { verifiedEndpoint } from './endpoint.schema.ts';
import { sellingErrors } from './selling.errors.ts';

/** In hex it has 48 characters (clause: Event kinds). */
const NONCE_BYTES = 24;

/** The errors of verifying an endpoint, besides the common ones. */
export const verificationErrors = [
  sellingErrors.endpoint_taken,
  sellingErrors.endpoint_not_verified,
  sellingErrors.endpoint_timed_out,
];

/**
 * Challenges an endpoint. If it passes, it is saved and the seller's pending listings are activated (clause: Delivery
 * endpoint verification). If it fails, nothing is saved, and an endpoint that was verified before stays.
 */
export async function verifyEndpoint(
  ctx: Pick<OperationContext, 'ports' | 'settings' | 'now' | 'commit'>,
  seller: { readonly sellerId: string; readonly isSeller: boolean },
  { callbackUrl, callbackType }: { readonly callbackUrl: string; readonly callbackType: CallbackType },
): Promise<z.output<typeof verifiedEndpoint>> {
  const { ports, now } = ctx;
  const { sellerId } = seller;
  requireCallableUrl(callbackUrl, 'callbackUrl', ctx.settings);

  const endpoint = { sellerId, callbackUrl, callbackType };
  // No challenge is sent to another seller's endpoint: most servers answer any challenge.
  if (await isEndpointTaken(ports.market, endpoint)) throw new Refusal(sellingErrors.endpoint_taken);

  const nonce = toHex(ports.ids.randomBytes(NONCE_BYTES));
  const outcome = await challengeEndpoint(ports, endpoint, nonce);
  if (!outcome.verified) throw refusalFor(outcome.reason);

  const verifiedAt = isoTime(now);
  const activationIds = { eventId: ports.ids.uuid(), notificationId: ports.ids.uuid() };
  const saved = ports.market.commit([
    ...(seller.isSeller ? [] : [insertSeller(sellerId, null, verifiedAt)]),
    saveVerifiedEndpoint({ ...endpoint, verifiedAt }),
    ...recordActivation(sellerId, activationIds, verifiedAt),
    activatePendingListings(sellerId),
  ]);
  const rows = await saved.catch((error: unknown) => {
    throw isEndpointConflict(error) ? new Refusal(sellingErrors.endpoint_taken) : error;
  });
  const activatedListings = (rows.at(-1) as { id: string }[]).map(({ id }) => id).sort();
  if (activatedListings.length > 0) ports.background.run(ports.jobs.send({ kind: 'outbox' }));
  const answer = { activatedListings, callbackType, callbackUrl, verified: true as const, verifiedAt };
  // Only now is it known which listings were activated, so the outcome for replays has a commit of its own.
  // If that fails, a retry verifies again, which changes nothing.
  await Promise.all([ctx.commit([], answer), refreshAfterChange(ports, activatedListings)]);
  return answer;
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
    default:
      return new Refusal(sellingErrors.endpoint_not_verified, { detail });
  }
}
