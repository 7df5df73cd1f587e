import { DAY_MS, type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';

/** How long a change of where a seller is paid can be cancelled, where the deployment does not say otherwise. */
export const DEFAULT_CHANGE_HOURS = 48;

/** Whoever cancelled a change thinks that somebody else asked for it, who could ask again at once. */
const FREEZE_MS = 7 * DAY_MS;

/** A wallet on one chain; the account at the card processor has no chain. */
export interface Destination {
  readonly kind: 'wallet' | 'account';
  /** The address of the wallet, or the id of the account. */
  readonly destination: string;
  readonly chainId: number | null;
}

/** What decides when a change takes effect, and what is paid until then. */
export interface ChangeOfDestination {
  readonly kind: Destination['kind'];
  readonly effectiveAt: IsoTime;
  /** Null: the seller had none of this kind. */
  readonly previous: string | null;
  readonly previousChainId: number | null;
}

/** Where a seller can be paid, with the changes that may still matter, the earliest first and none that was cancelled. */
export interface PayoutRoutes {
  readonly wallet: { readonly address: string; readonly chainId: number } | null;
  readonly account: { readonly accountId: string; readonly payoutsEnabled: boolean } | null;
  readonly changes: readonly ChangeOfDestination[];
}

/**
 * The first destination that is set with the seller's own key is paid at once. Not after a cancellation: whoever has a
 * stolen key could cancel what the seller's person set by link, and be the first.
 */
export function isAtOnce(
  requestedBy: 'key' | 'claim_link',
  seller: { readonly hasDestination: boolean; readonly hours: number; readonly hasCancelled: boolean },
): boolean {
  const { hasDestination, hours, hasCancelled } = seller;
  return hours === 0 || (requestedBy === 'key' && !hasDestination && !hasCancelled);
}

export function takesEffectAt(requestedAt: EpochMs, hours: number): IsoTime {
  return isoTime(requestedAt + hours * HOUR_MS);
}

/** When changes are possible again after one was cancelled. */
export function freezeEnds(cancelledAt: IsoTime): IsoTime {
  return isoTime(epochOf(cancelledAt) + FREEZE_MS);
}

/** A change that was cancelled. */
export interface Cancellation {
  readonly requestedBy: 'key' | 'claim_link';
  readonly cancelledAt: IsoTime | null;
}

/**
 * Until when nothing can be changed after changes were cancelled; null: it can be. A seller that has no destination may
 * set one with its key (`isFirst`) where only links asked for what was cancelled: whoever has a link need not have the
 * key, and sales would wait for 7 days. Where the key had asked, whoever cancelled thinks that it is stolen.
 */
export function frozenUntil(
  cancelled: readonly Cancellation[],
  now: EpochMs,
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): IsoTime | null {
  const ends = cancelled
    .filter(({ requestedBy }) => !isFirst || requestedBy === 'key')
    .flatMap(({ cancelledAt }) => (cancelledAt === null ? [] : [freezeEnds(cancelledAt)]))
    .filter((end) => end > isoTime(now));
  return ends.sort().at(-1) ?? null;
}

/** From when on a cancelled change keeps others from being made. */
export function freezesSince(now: EpochMs): IsoTime {
  return isoTime(now - FREEZE_MS);
}

export type ChangeState = 'pending' | 'effective' | 'cancelled';

export function stateOfChange(
  change: { readonly cancelledAt: IsoTime | null; readonly effectiveAt: IsoTime },
  now: EpochMs,
): ChangeState {
  if (change.cancelledAt !== null) return 'cancelled';
  return change.effectiveAt <= isoTime(now) ? 'effective' : 'pending';
}

/**
 * Where a sum is paid that fell due at `dueAt`: to what was paid then, so that nobody who changes the destination gets
 * what was earned before. What the former destination refused, or can take no more, goes to the present one.
 */
export function chooseDestination(
  routes: PayoutRoutes,
  sum: { readonly dueAt: IsoTime; readonly wasRefused: boolean },
  { now, chainId }: { readonly now: EpochMs; readonly chainId: number | null },
): Destination | null {
  const former = sum.wasRefused ? null : payableAt(routes, sum.dueAt, chainId);
  return former ?? payableAt(routes, isoTime(now), chainId);
}

/** A wallet is paid rather than an account; one of another chain may be nobody's here. */
function payableAt(
  { wallet, account, changes }: PayoutRoutes,
  at: IsoTime,
  chainId: number | null,
): Destination | null {
  const nextChange = (kind: Destination['kind']) =>
    changes.find((change) => change.kind === kind && change.effectiveAt > at);
  const before = nextChange('wallet');
  const paid = before ? walletOf(before) : wallet;
  if (paid !== null && paid.chainId === chainId)
    return { kind: 'wallet', destination: paid.address, chainId: paid.chainId };
  if (nextChange('account') !== undefined || !account?.payoutsEnabled) return null;
  return { kind: 'account', destination: account.accountId, chainId: null };
}

function walletOf({ previous, previousChainId }: ChangeOfDestination): PayoutRoutes['wallet'] {
  return previous === null || previousChainId === null
    ? null
    : { address: previous, chainId: previousChainId };
}
