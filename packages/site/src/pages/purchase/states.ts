import type { Operations } from '@agent-marketplace/sdk';

export type Purchase = Operations['getPurchase']['output'];

export interface StateText {
  readonly title: string;
  readonly means: string;
  /** Whether it changes by itself soon. */
  readonly isMoving?: boolean;
}

/** Where a purchase stands, for who paid: what it means and what comes next. */
export function stateOf({ status, amountCents }: Pick<Purchase, 'status' | 'amountCents'>): StateText {
  const isFree = amountCents === 0;
  switch (status) {
    case 'pending_payment':
      return {
        title: 'Waiting for payment',
        means: 'Nothing was charged yet. Pay on the checkout page, and this page goes on by itself.',
        isMoving: true,
      };
    case 'authorized':
      return {
        title: 'Ready to collect',
        means:
          'The money is set aside, not charged. Show the content: the seller is asked then, and only what it delivers is charged.',
      };
    case 'held':
      return {
        title: 'Delivered, money in escrow',
        means: 'You have what you bought. The seller is paid once the time in escrow is over.',
      };
    case 'releasing':
      return { title: 'Delivered, seller being paid', means: 'The time in escrow is over.', isMoving: true };
    case 'released':
      return {
        title: 'Delivered',
        means: isFree ? 'It was free, and it is yours.' : 'The seller was paid. The sale is final.',
      };
    case 'refunded':
      return { title: 'Refunded', means: 'The whole price went back to where it came from.' };
    case 'expired':
      return { title: 'Expired', means: 'Nobody paid or collected in time. Nothing was charged.' };
    case 'failed':
      return { title: 'Not delivered', means: 'The sale did not come about. Nothing was charged.' };
  }
}

/** Whether its content can be asked for now. */
export function isCollectable({ status }: Pick<Purchase, 'status'>): boolean {
  return status === 'authorized' || status === 'held' || status === 'releasing' || status === 'released';
}
