import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type * as z from 'zod';
import {
  insertSeller,
  recordActivation,
  recordSellerNotice,
  requireCallableUrl,
  revokeClaimLinks,
} from '../agents/index.ts';
import {
  type CallbackType,
  displaceEndpoints,
  findEndpoint,
  findFirstOnHost,
  findRivals,
  isEndpointConflict,
  isEndpointSet,
  requireFirstEndpoint,
  saveVerifiedEndpoint,
} from '../delivery/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { activatePendingListings, pauseListings, refreshAfterChange } from '../listings/index.ts';
import type { verifiedEndpoint } from './endpoint.schema.ts';
import { proofErrors, proveEndpoint } from './prove-endpoint.ts';
import { sellingErrors } from './selling.errors.ts';

/** The errors of verifying an endpoint, besides the common ones. */
export const verificationErrors = [sellingErrors.endpoint_taken, ...proofErrors];

type Context = Pick<OperationContext, 'ports' | 'settings' | 'now' | 'commit' | 'requireQuota'>;

interface Registrant {
  readonly sellerId: string;
  readonly isSeller: boolean;
  /** Many may hold a claim link: it sets a first endpoint, and replaces none. */
  readonly by: 'key' | 'claim_link';
}

interface NewEndpoint {
  readonly callbackUrl: string;
  readonly callbackType: CallbackType;
}

/**
 * Challenges an endpoint. If it passes, it is saved and the seller's pending listings are activated (clause: Delivery
 * endpoint verification). If it fails, nothing is saved, and an endpoint that was verified before stays.
 */
export async function verifyEndpoint(
  ctx: Context,
  seller: Registrant,
  { callbackUrl, callbackType }: NewEndpoint,
): Promise<z.output<typeof verifiedEndpoint>> {
  const { ports, now } = ctx;
  const { sellerId } = seller;
  requireCallableUrl(callbackUrl, 'callbackUrl', ctx.settings);

  const endpoint = { sellerId, callbackUrl, callbackType };
  const [last, rivals, first] = await Promise.all([
    findEndpoint(ports.market, sellerId),
    findRivals(ports.market, endpoint),
    findFirstOnHost(ports.market, endpoint),
    ctx.requireQuota(),
  ]);
  const isChanged = last?.callbackUrl !== callbackUrl || last.callbackType !== callbackType;
  if (seller.by === 'claim_link' && last && isChanged) throw new Refusal(sellingErrors.endpoint_already_set);

  const { namesSeller, mcpRevision, onSuccess } = await proveEndpoint(ctx, endpoint);
  // Most servers answer any challenge: another seller's is borrowed so.
  if (rivals.length > 0 && !namesSeller) throw new Refusal(sellingErrors.endpoint_taken);

  const verifiedAt = isoTime(now);
  const displaced = rivals.filter((rival) => !rival.namesSeller).map((rival) => rival.sellerId);
  const notices = noticesOf(seller, { callbackUrl, isChanged, hadEndpoint: last !== null, displaced, first });
  const activationIds = { eventId: ports.ids.uuid(), notificationId: ports.ids.uuid() };
  // An endpoint that is gone could be set again by link: whoever kept an old one must not be the one who does.
  const paused =
    displaced.length > 0 ? [pauseListings(displaced), revokeClaimLinks(displaced, verifiedAt)] : [];
  const saved = ports.market.commit([
    ...paused,
    ...(seller.isSeller ? [] : [insertSeller(sellerId, null, verifiedAt)]),
    ...(seller.by === 'claim_link' ? [requireFirstEndpoint(endpoint)] : []),
    ...displaceEndpoints(displaced, endpoint),
    ...saveVerifiedEndpoint({ ...endpoint, verifiedAt, namesSeller, mcpRevision }),
    ...notices.flatMap(({ to, type, data }) => recordSellerNotice(ports, to, type, data, verifiedAt)),
    ...onSuccess,
    ...recordActivation(sellerId, activationIds, verifiedAt),
    activatePendingListings(sellerId),
  ]);
  const rows = await saved.catch((error: unknown) => {
    if (isEndpointConflict(error)) throw new Refusal(sellingErrors.endpoint_taken);
    throw isEndpointSet(error) ? new Refusal(sellingErrors.endpoint_already_set) : error;
  });
  const idsOf = (returned: unknown[] | undefined) => (returned as { id: string }[]).map(({ id }) => id);
  const activatedListings = idsOf(rows.at(-1)).sort();
  const pausedListings = paused.length > 0 ? idsOf(rows[0]) : [];
  if (activatedListings.length > 0 || notices.length > 0)
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
  const answer = { activatedListings, callbackType, callbackUrl, verified: true as const, verifiedAt };
  // Only now is it known which listings were activated, so the outcome for replays has a commit of its own.
  // If that fails, a retry verifies again, which changes nothing.
  await Promise.all([
    ctx.commit([], answer),
    refreshAfterChange(ports, [...activatedListings, ...pausedListings]),
  ]);
  return answer;
}

interface Notice {
  readonly to: string;
  readonly type: Parameters<typeof recordSellerNotice>[2];
  readonly data: JsonObject;
}

/** Who learns of a newly verified endpoint. A seller that sets its first one with its own key need not be told. */
function noticesOf(
  { sellerId, by }: Registrant,
  change: {
    readonly callbackUrl: string;
    readonly isChanged: boolean;
    readonly hadEndpoint: boolean;
    readonly displaced: readonly string[];
    readonly first: Awaited<ReturnType<typeof findFirstOnHost>>;
  },
): Notice[] {
  const { callbackUrl, isChanged, hadEndpoint, displaced, first } = change;
  const notices: Notice[] = displaced.map((to) => ({ to, type: 'endpoint.displaced', data: {} }));
  if (!isChanged) return notices;
  if (hadEndpoint || by === 'claim_link')
    notices.push({ to: sellerId, type: 'endpoint.changed', data: { by, host: new URL(callbackUrl).host } });
  if (first !== null && first.sellerId !== sellerId && !displaced.includes(first.sellerId))
    notices.push({ to: first.sellerId, type: 'endpoint.host_shared', data: { host: first.host } });
  return notices;
}
