import type { Operations } from '@agent-marketplace/sdk';

export type Purchase = Operations['getPurchase']['output'];

/** The fields that determine the text of a purchase's state. */
export type PurchaseState = Pick<Purchase, 'status' | 'amountCents'> & {
  readonly dispute: Pick<NonNullable<Purchase['dispute']>, 'status' | 'decidedBy'> | null;
  /** The card holder's dispute with the bank. */
  readonly chargeback: Pick<NonNullable<Purchase['chargeback']>, 'status'> | null;
  /** A physical order that is not shipped yet. */
  readonly awaitsShipment: boolean;
};

export interface StateText {
  readonly title: string;
  readonly meaning: string;
  /** How often the page should ask for a change; null in a final state. */
  readonly pollSeconds: number | null;
}

/** Somebody is on the checkout page, or a transfer is under way. */
const SOON = 4;
const MINUTES = 60;
/** The change takes days, or the reader makes it. */
const DAYS = 600;

/** The state of a purchase in words for its buyer: what it means and what comes next. */
export function stateOf(state: PurchaseState): StateText {
  const isFree = state.amountCents === 0;
  const decided = state.dispute?.status;
  const verdict = state.dispute && verdictOf(state.dispute);
  switch (state.status) {
    case 'pending_payment':
      return {
        title: 'Waiting for payment',
        meaning: 'Nothing is charged yet. Pay on the checkout page; this page updates by itself.',
        pollSeconds: SOON,
      };
    case 'authorized':
      return {
        title: 'Ready to collect',
        meaning:
          'The money is reserved, not charged. Show the content to fetch it from the seller: you pay only for what it delivers.',
        pollSeconds: DAYS,
      };
    case 'held':
      return heldText(state);
    case 'releasing':
      return {
        title: 'Delivered, paying the seller',
        meaning:
          decided === 'released'
            ? `${verdict}. The payment is on its way.`
            : 'The time in escrow is over, and the money is on its way to the seller.',
        pollSeconds: MINUTES,
      };
    case 'released':
      return {
        title: 'Delivered',
        meaning: isFree
          ? 'It was free, and it is yours.'
          : decided === 'released'
            ? `${verdict}. The seller was paid, and the sale is final.`
            : 'The seller was paid. The sale is final.',
        pollSeconds: null,
      };
    case 'refunded':
      return {
        title: 'Refunded',
        meaning:
          decided === 'refunded'
            ? `${verdict}: the whole price went back to where it came from.`
            : state.chargeback?.status === 'lost'
              ? 'The card’s bank took the whole price back.'
              : 'The whole price went back to where it came from.',
        pollSeconds: null,
      };
    case 'expired':
      return {
        title: 'Expired',
        meaning: 'Nobody paid or collected in time. Nothing was charged.',
        pollSeconds: null,
      };
    case 'failed':
      return {
        title: 'Not delivered',
        meaning: 'The sale failed. Nothing was charged.',
        pollSeconds: null,
      };
  }
}

function heldText({ dispute, chargeback, awaitsShipment }: PurchaseState): StateText {
  if (chargeback?.status === 'open')
    return {
      title: 'Disputed at the bank',
      meaning: 'The card holder disputed the payment. The seller is not paid until the bank decides.',
      pollSeconds: DAYS,
    };
  if (chargeback?.status === 'lost')
    return {
      title: 'Decided by the bank',
      meaning: 'The card’s bank is taking the price back.',
      pollSeconds: MINUTES,
    };
  switch (dispute?.status) {
    case 'open':
      return {
        title: 'Disputed, money in escrow',
        meaning:
          'You opened a dispute, so the seller is not paid yet. The operator decides where the money goes; after 14 days a rule does.',
        pollSeconds: DAYS,
      };
    case 'refunded':
      return {
        title: 'Decided for you',
        meaning: `${verdictOf(dispute)}: the whole price is on its way back to where it came from.`,
        pollSeconds: MINUTES,
      };
    case 'released':
      return {
        title: 'Decided for the seller',
        meaning: `${verdictOf(dispute)}. What you bought is yours. The seller is paid next.`,
        pollSeconds: MINUTES,
      };
    default:
      return {
        title: awaitsShipment ? 'Ordered, money in escrow' : 'Delivered, money in escrow',
        meaning: awaitsShipment
          ? 'Your order is confirmed. The time in escrow begins when the seller ships it.'
          : 'You have what you bought. The seller is paid when the time in escrow is over.',
        pollSeconds: DAYS,
      };
  }
}

/** Who or what decided a dispute, and for whom. Nobody here did where the money was taken back outside. */
function verdictOf({ decidedBy, status }: NonNullable<PurchaseState['dispute']>): string {
  const side = status === 'refunded' ? 'you' : 'the seller';
  switch (decidedBy) {
    case 'operator':
      return `The operator decided for ${side}`;
    case 'rule':
      return `The operator did not decide in time, so the rule did, for ${side}`;
    case null:
      return `It was decided for ${side}`;
  }
}

/** Whether the content can be fetched now. */
export function isCollectable({
  status,
  contentStatus,
}: Pick<Purchase, 'status' | 'contentStatus'>): boolean {
  if (contentStatus === 'ended') return false;
  return status === 'authorized' || status === 'held' || status === 'releasing' || status === 'released';
}
