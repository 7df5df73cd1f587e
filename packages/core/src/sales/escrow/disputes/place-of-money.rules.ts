import type { EpochMs } from '../../../kernel/time.ts';
import type { Payment, Sale } from '../../sale.ts';
import { isTabOver, type Tab } from '../../tabs/tab.rules.ts';

type PlacedSale = Pick<Sale, 'status'> & {
  readonly payment: Pick<
    Payment,
    'capturedCents' | 'dueAt' | 'outcome' | 'refundId' | 'refundRequestedAt' | 'reserveUntil'
  >;
};
type PlacedTab = Pick<Tab, 'chargedMicros' | 'closedAt' | 'expiresAt' | 'reservedMicros'>;

const NEVER = 'not_in_escrow';
const NOT_YET = 'not_in_escrow_yet';

/** Why what only money in escrow allows is refused, and where the money is. */
type PlaceOfMoney = readonly [typeof NEVER | typeof NOT_YET, string];

/** Where the money of a sale is, which is not in escrow. */
export function placeOfMoney(sale: PlacedSale, tab: PlacedTab | null, now: EpochMs): PlaceOfMoney {
  const { capturedCents, dueAt, outcome, refundId, refundRequestedAt, reserveUntil } = sale.payment;
  switch (sale.status) {
    case 'pending_payment':
      return [NOT_YET, 'It is not paid yet.'];
    case 'authorized':
      if (outcome !== null) return [NEVER, 'What was reserved or paid for it goes back.'];
      if (tab !== null) return placeOfTab(tab, now);
      // A transfer may be settled, and a page captured, before that.
      return [
        NOT_YET,
        'It is not delivered yet: its money is in escrow once it is, and goes back if it is not.',
      ];
    case 'held':
      if (refundRequestedAt !== null) return [NEVER, 'A refund of it was decided, and is on its way.'];
      return reserveUntil === null
        ? [NOT_YET, 'It changed in this moment, and its money is in escrow.']
        : [NEVER, 'Its time in escrow is over, and the money is kept for its seller.'];
    case 'releasing':
    case 'released':
      return [NEVER, 'Its time in escrow is over: the money goes to its seller.'];
    case 'refunded':
      if (refundId === null && dueAt !== null)
        return [NEVER, 'It is not paid back yet: its refund failed, and is made again.'];
      return capturedCents === 0
        ? [NEVER, 'Nothing was taken for it: what was reserved is free again.']
        : [NEVER, 'It was paid back to its buyer.'];
    case 'expired':
    case 'failed':
      return [NEVER, 'It ended unpaid: nothing is kept of it, and a payment that comes late goes back.'];
  }
}

function placeOfTab(tab: PlacedTab, now: EpochMs): PlaceOfMoney {
  const { chargedMicros, expiresAt, reservedMicros } = tab;
  if (!isTabOver(tab, now))
    return expiresAt === null
      ? [NOT_YET, 'The payment of its tab is not seen on chain yet.']
      : [
          NOT_YET,
          `Its tab is open until ${expiresAt}, or until its payer closes it: what its queries cost is in escrow then, and the rest goes back.`,
        ];
  if (chargedMicros > 0)
    return [NOT_YET, 'Its tab was closed, and what its queries cost is in escrow within some minutes.'];
  if (reservedMicros > 0)
    return [
      NOT_YET,
      'Its tab was closed while a query was out: what that costs is in escrow if it is answered, and all goes back if it is not.',
    ];
  return expiresAt === null
    ? [NEVER, 'Its tab was closed before its payment was seen on chain: whatever is paid goes back.']
    : [NEVER, 'Its tab was closed, and nothing of it was answered: what was paid goes back.'];
}
