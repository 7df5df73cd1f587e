import type { IsoTime } from '../../kernel/time.ts';
import { REFUND_FAILED } from '../sale-status.rules.ts';

/** What keeps a sale from its end, in words for its parties. */
const SALE_NOTICES = {
  on_hold: 'The marketplace looks into this sale. Its money stays in escrow until that is decided.',
  refund_failed:
    'The refund failed, and the money is in escrow again. The marketplace will send it in another way.',
} as const;

export interface SaleNotice {
  readonly code: keyof typeof SALE_NOTICES;
  readonly text: string;
}

/** Null: nothing keeps it. */
export function saleNotice(sale: {
  readonly status: string;
  readonly payment: { readonly failure: string | null };
  readonly operatorHold: { readonly liftedAt: IsoTime | null } | null;
}): SaleNotice | null {
  if (sale.status !== 'held') return null;
  const isOnHold = sale.operatorHold !== null && sale.operatorHold.liftedAt === null;
  const code = isOnHold ? 'on_hold' : sale.payment.failure === REFUND_FAILED ? 'refund_failed' : null;
  return code && { code, text: SALE_NOTICES[code] };
}
