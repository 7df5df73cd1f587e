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

/** Hexadecimal, it is 48 characters long (clause: Event kinds). */
const NONCE_BYTES = 24;

/** Every error that verifying an endpoint may end with, beyond the common ones. */
export const verificationErrors = [
  sellingErrors.endpoint_taken,
  sellingErrors.endpoint_not_verified,
  sellingErrors.endpoint_timed_out,
];

/**
 * Challenges an endpoint and, if it passes, keeps it and brings the seller's pending listings to life
 * (clause: Delivery endpoint verification). Of an endpoint that fails nothing is kept, and one that was
 * verified before stays.
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
  // Not even a challenge is sent to what is another's: most servers answer any.
  if (await isEndpointTaken(ports.market, endpoint)) throw new Refusal(sellingErrors.endpoint_taken);

  const nonce = toHex(ports.ids.randomBytes(NONCE_BYTES));
  const outcome = await challengeEndpoint(ports, endpoint, nonce);
  if (!outcome.verified) throw refusalFor(outcome.reason);

  const verifiedAt = isoTime(now);
  const told = { eventId: ports.ids.uuid(), notificationId: ports.ids.uuid() };
  const saved = ports.market.commit([
    ...(seller.isSeller ? [] : [insertSeller(sellerId, null, verifiedAt)]),
    saveVerifiedEndpoint({ ...endpoint, verifiedAt }),
    ...recordActivation(sellerId, told, verifiedAt),
    activatePendingListings(sellerId),
  ]);
  const rows = await saved.catch((error: unknown) => {
    throw isEndpointConflict(error) ? new Refusal(sellingErrors.endpoint_taken) : error;
  });
  const activatedListings = (rows.at(-1) as { id: string }[]).map(({ id }) => id).sort();
  if (activatedListings.length > 0) ports.background.run(ports.jobs.send({ kind: 'outbox' }));
  const answer = { activatedListings, callbackType, callbackUrl, verified: true as const, verifiedAt };
  // Which listings went live is known only now, so the outcome for replays follows in a commit of its own.
  // If that is lost, a retry verifies once more, which changes nothing.
  await Promise.all([ctx.commit([], answer), refreshAfterChange(ports, activatedListings)]);
  return answer;
}

/** Says what was wrong in our own words: an endpoint's text is never passed on. */
function refusalFor(reason: ChallengeRefusal): Refusal {
  const detail = explainChallengeRefusal(reason);
  switch (reason) {
    case 'timed_out':
      return new Refusal(sellingErrors.endpoint_timed_out, { detail });
    // Not the seller's doing: the platform's own mailbox could not be reached.
    case 'mailbox_unavailable':
      return new Refusal(commonErrors.service_unavailable, { detail, retryAfterSeconds: 2 });
    default:
      return new Refusal(sellingErrors.endpoint_not_verified, { detail });
  }
}
