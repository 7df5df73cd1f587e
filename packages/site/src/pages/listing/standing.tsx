import type { Operations } from '@agent-marketplace/sdk';
import { Instant } from '../../components/time.tsx';

type StandingProps = Pick<Operations['getListing']['output']['listing'], 'status' | 'unreachableSince'>;

/** Why a listing cannot be bought, or may fail to be delivered; nothing where neither is so. */
export function Standing({ status, unreachableSince }: StandingProps) {
  if (status === 'pending')
    return (
      <p class="note attention">
        Not for sale yet: the seller has still to verify its delivery endpoint, or to connect payouts.
      </p>
    );
  if (status === 'inactive') return <p class="note stop">No longer for sale. Its history stays public.</p>;
  if (unreachableSince === null) return null;
  return (
    <p class="note stop">
      The seller’s endpoint has answered nobody for a day, and is called unreachable since{' '}
      <Instant iso={unreachableSince} />. Browsing leaves this listing out. You can still try to buy it: you
      pay only if it delivers.
    </p>
  );
}
