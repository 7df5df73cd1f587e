import type { Operations } from '@agent-marketplace/sdk';

export type Purchase = Operations['getPurchase']['output'];

/** What a state is made of: neither its content nor who takes part in it. */
export type Standing = Pick<Purchase, 'status' | 'amountCents'> & {
  readonly dispute: Pick<NonNullable<Purchase['dispute']>, 'status'> | null;
  /** Of whoever paid, with the bank. */
  readonly chargeback: Pick<NonNullable<Purchase['chargeback']>, 'status'> | null;
  /** A physical order that has not left yet. */
  readonly awaitsShipment: boolean;
};

export interface StateText {
  readonly title: string;
  readonly means: string;
  /** How often it is worth asking whether it has moved; null where it can move no more. */
  readonly everySeconds: number | null;
}

/** Somebody is on the checkout page, or money is on its way. */
const SOON = 4;
const MINUTES = 60;
/** It takes days, or whoever does it is told by other means. */
const DAYS = 600;

/** Where a purchase stands, for who paid: what it means and what comes next. */
export function stateOf(standing: Standing): StateText {
  const isFree = standing.amountCents === 0;
  const decided = standing.dispute?.status;
  switch (standing.status) {
    case 'pending_payment':
      return {
        title: 'Waiting for payment',
        means: 'Nothing was charged yet. Pay on the checkout page, and this page goes on by itself.',
        everySeconds: SOON,
      };
    case 'authorized':
      return {
        title: 'Ready to collect',
        means:
          'The money is set aside, not charged. Show the content: the seller is asked then, and only what it delivers is charged.',
        everySeconds: DAYS,
      };
    case 'held':
      return heldText(standing);
    case 'releasing':
      return {
        title: 'Delivered, seller being paid',
        means:
          decided === 'released'
            ? 'The operator decided for the seller, whose money is on its way.'
            : 'The time in escrow is over, and the money is on its way to the seller.',
        everySeconds: MINUTES,
      };
    case 'released':
      return {
        title: 'Delivered',
        means: isFree
          ? 'It was free, and it is yours.'
          : decided === 'released'
            ? 'The operator decided for the seller, who was paid. The sale is final.'
            : 'The seller was paid. The sale is final.',
        everySeconds: null,
      };
    case 'refunded':
      return {
        title: 'Refunded',
        means:
          decided === 'refunded'
            ? 'The operator decided for you: the whole price went back to where it came from.'
            : standing.chargeback?.status === 'lost'
              ? 'The bank of the card took the whole price back.'
              : 'The whole price went back to where it came from.',
        everySeconds: null,
      };
    case 'expired':
      return {
        title: 'Expired',
        means: 'Nobody paid or collected in time. Nothing was charged.',
        everySeconds: null,
      };
    case 'failed':
      return {
        title: 'Not delivered',
        means: 'The sale did not come about. Nothing was charged.',
        everySeconds: null,
      };
  }
}

function heldText({ dispute, chargeback, awaitsShipment }: Standing): StateText {
  if (chargeback?.status === 'open')
    return {
      title: 'Disputed at the bank',
      means:
        'The holder of the card has disputed the payment, so the seller is not paid. Now the bank decides.',
      everySeconds: DAYS,
    };
  if (chargeback?.status === 'lost')
    return {
      title: 'Decided by the bank',
      means: 'The bank of the card takes the price back.',
      everySeconds: MINUTES,
    };
  switch (dispute?.status) {
    case 'open':
      return {
        title: 'Disputed, money in escrow',
        means: 'You objected, so the seller is not paid. The operator decides where the money goes.',
        everySeconds: DAYS,
      };
    case 'refunded':
      return {
        title: 'Decided for you',
        means: 'The whole price is on its way back to where it came from.',
        everySeconds: MINUTES,
      };
    case 'released':
      return {
        title: 'Decided for the seller',
        means: 'What you bought is yours, and the money is about to go to the seller.',
        everySeconds: MINUTES,
      };
    default:
      return {
        title: awaitsShipment ? 'Ordered, money in escrow' : 'Delivered, money in escrow',
        means: awaitsShipment
          ? 'The order is confirmed. The time in escrow begins when the seller has shipped it.'
          : 'You have what you bought. The seller is paid once the time in escrow is over.',
        everySeconds: DAYS,
      };
  }
}

/** Whether its content can be asked for now. */
export function isCollectable({ status }: Pick<Purchase, 'status'>): boolean {
  return status === 'authorized' || status === 'held' || status === 'releasing' || status === 'released';
}
