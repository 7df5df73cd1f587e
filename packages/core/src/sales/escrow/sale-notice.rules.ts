import type { IsoTime } from '../../kernel/time.ts';
import type { PaidElsewhere } from '../sale.ts';
import { REFUND_FAILED, type SaleStatus } from '../sale-status.rules.ts';

/** What keeps a sale from its end, in words for each of its parties. */
const SALE_NOTICES = {
  on_hold: {
    buyer: 'The marketplace looks into this sale. Its money stays in escrow until that is decided.',
    seller: 'The marketplace looks into this sale. You are paid once that is decided in your favour.',
  },
  refund_failed: {
    buyer:
      'The refund failed, and the money is in escrow again. The marketplace will send it in another way.',
    seller:
      "The buyer's refund failed, and the money is in escrow again. It is not yours unless it is decided so.",
  },
  paid_elsewhere: {
    buyer: 'The marketplace sent you the money in another way.',
    seller: 'The marketplace sent the buyer the money in another way.',
  },
  in_reserve: {
    buyer: 'The time to dispute is over. The seller is paid later.',
    seller:
      'The time to dispute is over. Your share is kept in reserve for some weeks, since the bank of the card that paid ' +
      'may take it back; `reserveUntil` says when you are paid.',
  },
} as const;

export const SALE_NOTICE_CODES = Object.keys(SALE_NOTICES) as readonly (keyof typeof SALE_NOTICES)[];

export interface SaleNotice {
  readonly code: (typeof SALE_NOTICE_CODES)[number];
  readonly text: string;
}

interface NoticedSale {
  readonly status: string;
  readonly payment: {
    readonly failure: string | null;
    readonly dueAt: IsoTime | null;
    readonly reserveUntil: IsoTime | null;
  };
  readonly operatorHold: { readonly liftedAt: IsoTime | null } | null;
  /** Whom the operator paid in another way. */
  readonly paidTo: PaidElsewhere['party'] | null;
}

/** Its time in escrow is over, and the seller's share is kept until `reserveUntil`; nobody decided anything since. */
export function isInReserve({ status, payment }: Pick<NoticedSale, 'status' | 'payment'>): boolean {
  return status === 'held' && payment.reserveUntil !== null && payment.dueAt === payment.reserveUntil;
}

/** As its parties see it: what is in reserve is on its way to the seller, and can be disputed no more. */
export function shownStatus<Status extends SaleStatus>(
  sale: Pick<NoticedSale, 'payment'> & { readonly status: Status },
): Status | 'releasing' {
  return isInReserve(sale) ? 'releasing' : sale.status;
}

export interface StoredStatus {
  readonly status: SaleStatus;
  readonly inReserve: boolean;
}

/** How sales are stored that are shown with this status. */
export function storedStatuses(shown: SaleStatus): readonly StoredStatus[] {
  if (shown === 'held') return [{ status: 'held', inReserve: false }];
  const stored = [false, true].map((inReserve) => ({ status: shown, inReserve }));
  return shown === 'releasing' ? [...stored, { status: 'held', inReserve: true }] : stored;
}

/** Null: there is nothing to say. */
export function saleNotice(sale: NoticedSale, party: 'buyer' | 'seller'): SaleNotice | null {
  const code = noticeCode(sale);
  return code && { code, text: SALE_NOTICES[code][party] };
}

function noticeCode(sale: NoticedSale): SaleNotice['code'] | null {
  if (sale.status === 'refunded' && sale.paidTo === 'buyer') return 'paid_elsewhere';
  if (sale.status !== 'held') return null;
  if (sale.operatorHold !== null && sale.operatorHold.liftedAt === null) return 'on_hold';
  if (sale.payment.failure === REFUND_FAILED) return 'refund_failed';
  return isInReserve(sale) ? 'in_reserve' : null;
}
