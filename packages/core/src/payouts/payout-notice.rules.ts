import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { withChecksum } from '../kernel/address.ts';
import type { IsoTime } from '../kernel/time.ts';

interface Change {
  readonly id: string;
  readonly kind: 'wallet' | 'account';
  readonly destination: string;
  readonly chainId: number | null;
  readonly requestedBy: string;
  readonly requestedAt: IsoTime;
  readonly effectiveAt: IsoTime;
  readonly cancelledBy: string | null;
}

/** What an event says of a wallet that is paid now. */
export function walletNotice({
  changeId,
  destination,
  chainId,
}: {
  readonly changeId: string | null;
  readonly destination: string;
  readonly chainId: number | null;
}): JsonObject {
  return { address: withChecksum(destination as Hex), chainId, changeId, kind: 'wallet' };
}

/** What an event says of a change that took effect. The id of an account is the card processor's, and nobody else's. */
export function changedNotice({ id, kind, destination, chainId }: Change): JsonObject {
  return kind === 'wallet'
    ? walletNotice({ changeId: id, destination, chainId })
    : { address: null, chainId: null, changeId: id, kind };
}

export function requestNotice(change: Change): JsonObject {
  const { effectiveAt, requestedAt, requestedBy } = change;
  return { ...changedNotice(change), by: requestedBy, effectiveAt, requestedAt };
}

export function cancelNotice(
  change: Change,
  cancelledBy: string,
  changesFrozenUntil: IsoTime | null,
): JsonObject {
  return { ...changedNotice(change), by: cancelledBy, changesFrozenUntil };
}
