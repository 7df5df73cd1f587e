import type { TransferAuthorization } from '../../../kernel/ports/chain.ts';
import { type EpochMs, SECOND_MS } from '../../../kernel/time.ts';

/** How long an answer waits for the chain. Its own time and the slowest delivery's fit into a minute. */
export const SETTLE_MS = 20 * SECOND_MS;

/** Less than this before its end, an authorisation may not reach a block any more. */
export const SETTLE_ROOM_MS = 6 * SECOND_MS;

/** What a fresh authorisation must have left: the slowest delivery, and then its way to the chain. */
export const FRESH_ROOM_MS = 36 * SECOND_MS;

/** How long after a sale the same payment brings the data again. What a chain records, anybody can copy. */
export const REPEAT_MS = 24 * 3600 * SECOND_MS;

/** How long a payment that is settled waits to be sent again for its data; then the money goes back. */
export const REFUND_AFTER_MS = 24 * 3600 * SECOND_MS;

/**
 * For how long a payment that is still good is looked for once its purchase ended without it. Clients sign for a
 * minute; who signs for ages and then brings it to the chain on its own account waited for nobody.
 */
export const WATCH_MS = 4 * REFUND_AFTER_MS;

type Times = Pick<TransferAuthorization, 'validAfter' | 'validBefore'>;

/** Why an authorisation is no good at this time; null: it is. */
export function timeFault(
  { validAfter, validBefore }: Times,
  now: EpochMs,
  roomMs: number,
): 'valid_after' | 'valid_before' | null {
  const seconds = BigInt(Math.floor(now / SECOND_MS));
  if (validAfter >= seconds) return 'valid_after';
  return validBefore * 1000n < BigInt(now) + BigInt(roomMs) ? 'valid_before' : null;
}

export const TIME_FAULTS = {
  valid_after: 'invalid_exact_evm_payload_authorization_valid_after',
  valid_before: 'invalid_exact_evm_payload_authorization_valid_before',
} as const;
