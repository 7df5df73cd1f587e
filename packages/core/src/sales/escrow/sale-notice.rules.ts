import type { IsoTime } from '../../kernel/time.ts';
import type { PaidElsewhere } from '../sale.ts';
import { REFUND_FAILED } from '../sale-status.rules.ts';

/** What keeps a sale from its end, in words for its parties. */
const SALE_NOTICES = {
  on_hold: 'The marketplace looks into this sale. Its money stays in escrow until that is decided.',
  refund_failed:
    'The refund failed, and the money is in escrow again. The marketplace will send it in another way.',
  paid_elsewhere: 'The marketplace sent you the money in another way.',
} as const;

export interface SaleNotice {
  readonly code: keyof typeof SALE_NOTICES;
  readonly text: string;
}

/** For the buyer; null: there is nothing to say. */
export function saleNotice(sale: {
  readonly status: string;
  readonly payment: { readonly failure: string | null };
  readonly operatorHold: { readonly liftedAt: IsoTime | null } | null;
  readonly paidElsewhere: Pick<PaidElsewhere, 'party' | 'evidence'> | null;
}): SaleNotice | null {
  if (sale.status === 'refunded' && sale.paidElsewhere?.party === 'buyer') {
    const { text, url, digest } = sale.paidElsewhere.evidence;
    const evidence = [text, url, digest].filter((one) => one !== null).join(' · ');
    return { code: 'paid_elsewhere', text: `${SALE_NOTICES.paid_elsewhere} ${evidence}` };
  }
  if (sale.status !== 'held') return null;
  const isOnHold = sale.operatorHold !== null && sale.operatorHold.liftedAt === null;
  const code = isOnHold ? 'on_hold' : sale.payment.failure === REFUND_FAILED ? 'refund_failed' : null;
  return code && { code, text: SALE_NOTICES[code] };
}
