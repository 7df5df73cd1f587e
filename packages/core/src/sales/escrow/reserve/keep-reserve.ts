import type { Ports } from '../../../kernel/ports/ports.ts';
import { isoTime } from '../../../kernel/time.ts';
import { netCents } from '../../../ledger/index.ts';
import type { Destination } from '../../../payouts/index.ts';
import { inLedger } from '../../ledger-sale.rules.ts';
import type { Sale } from '../../sale.ts';
import { sellerEvent } from '../../sale-events.ts';
import { isStatusConflict } from '../../sales.store.ts';
import { decidePayouts, outstandingSince, type PayoutRecord } from './reserve.rules.ts';
import { keepInReserve, readPayoutRecords } from './reserve.store.ts';

type ReservePorts = Pick<Ports, 'market' | 'ids' | 'clock' | 'reserve'>;

/** A sale that may be paid now, and what may be outstanding with it. */
export interface PayableSale {
  readonly sale: Sale;
  readonly limitCents: number | null;
  readonly since: string;
}

/** What the sellers of these sales were paid that banks may take back. */
export function readRecords(ports: ReservePorts, sales: readonly Sale[]) {
  const sellerIds = [...new Set(sales.map(({ sellerId }) => sellerId))];
  return readPayoutRecords(ports.market, sellerIds, outstandingSince(ports.reserve, ports.clock.now()));
}

/** Those of one seller's due sales that are paid now. The others are kept in reserve, and the seller is told. */
export async function keepReserve(
  ports: ReservePorts,
  seller: { readonly record: PayoutRecord; readonly kind: Destination['kind'] },
  sales: readonly Sale[],
): Promise<PayableSale[]> {
  const { market, clock, reserve } = ports;
  const now = clock.now();
  const at = isoTime(now);
  const due = sales.map((sale) => ({
    netCents: netCents(inLedger(sale)),
    isRevocable: sale.payment.isRevocable,
    holdUntil: sale.payment.holdUntil ?? at,
    reserveUntil: sale.payment.reserveUntil,
  }));
  const payable: PayableSale[] = [];
  const since = outstandingSince(reserve, now);
  for (const [index, decision] of decidePayouts(due, seller, reserve, now).entries()) {
    const sale = sales[index] as Sale;
    if (decision.kind === 'pay') {
      payable.push({ sale, limitCents: decision.limitCents, since });
      continue;
    }
    const { until } = decision;
    const isNew = sale.payment.reserveUntil === null;
    try {
      await market.commit([
        ...keepInReserve(sale.id, at, until),
        ...(isNew ? sellerEvent(ports, sale, 'sale.held', at, { reason: 'in_reserve', until }) : []),
      ]);
    } catch (error) {
      // Another clock was faster, or the buyer opened a dispute.
      if (!isStatusConflict(error)) throw error;
    }
  }
  return payable;
}
