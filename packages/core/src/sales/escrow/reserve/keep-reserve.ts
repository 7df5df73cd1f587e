import type { Ports } from '../../../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../../../kernel/time.ts';
import { netCents, post } from '../../../ledger/index.ts';
import type { Destination } from '../../../payouts/index.ts';
import { inLedger, payoutPostings, withheldOf } from '../../ledger-sale.rules.ts';
import type { Sale } from '../../sale.ts';
import { sellerEvent } from '../../sale-events.ts';
import { isStatusConflict, moveSale, setPayment } from '../../sales.store.ts';
import { beginTransfer } from '../escrow.store.ts';
import { decidePayouts, outstandingSince, type PayoutRecord } from './reserve.rules.ts';
import { keepInReserve, readPayoutRecords } from './reserve.store.ts';
import { listOpenClaims } from './seller-claims.store.ts';
import { type OpenClaim, type Withholding, withheldCentsOf, withholdOf } from './withholding.rules.ts';

/** In place of an account that a transfer would go to. */
const NO_ACCOUNT = 'withheld';

type ReservePorts = Pick<Ports, 'market' | 'ids' | 'clock' | 'reserve'>;

/** A sale that may be paid now, and what may be outstanding with it. */
export interface PayableSale {
  readonly sale: Sale;
  /** What is sent, without what is withheld. */
  readonly amountCents: number;
  readonly withholdings: readonly Withholding[];
  readonly limitCents: number | null;
  readonly since: string;
}

/** What the sellers of these sales were paid that banks may take back. */
export function readRecords(ports: ReservePorts, sales: readonly Sale[]) {
  const sellerIds = [...new Set(sales.map(({ sellerId }) => sellerId))];
  return readPayoutRecords(ports.market, sellerIds, outstandingSince(ports.reserve, ports.clock.now()));
}

/**
 * Those of one seller's due sales that are paid now, less what it bears of what banks took of sales that it was paid
 * for before. The others are kept in reserve, and the seller is told.
 */
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
  const [{ sellerId } = { sellerId: '' }] = sales;
  let claims: readonly OpenClaim[] = await listOpenClaims(market, sellerId);
  const since = outstandingSince(reserve, now);
  for (const [index, decision] of decidePayouts(due, seller, reserve, now).entries()) {
    const sale = sales[index] as Sale;
    if (decision.kind === 'pay') {
      const shareCents = netCents(inLedger(sale));
      const { withholdings, open } = withholdOf(shareCents, claims);
      claims = open;
      const amountCents = shareCents - withheldCentsOf(withholdings);
      const one = { sale, amountCents, withholdings, limitCents: decision.limitCents, since };
      if (amountCents > 0) payable.push(one);
      else await releaseWithheld(ports, one, at);
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

/** All of it is withheld: the sale is over, and nothing is sent. */
async function releaseWithheld(
  { market, ids }: ReservePorts,
  { sale, amountCents, withholdings, limitCents, since }: PayableSale,
  at: IsoTime,
): Promise<void> {
  const sold = withWithheld(sale, withholdings, 'released');
  const begun = { accountId: NO_ACCOUNT, payoutBatchId: null, amountCents, at, checkAt: null };
  try {
    await market.commit([
      ...beginTransfer(sale.id, { ...begun, withholdings, limitCents, since }),
      ...moveSale(sale.id, 'releasing', 'released'),
      setPayment(sale.id, { dueAt: null, attempts: 0 }),
      ...payoutPostings(sold).map((one) => post(one, ids.uuid(), at)),
      ...sellerEvent({ ids }, sold, 'sale.released', at, withheldOf(sold)),
    ]);
  } catch (error) {
    // Another clock was faster, or another payout bears the same claim.
    if (!isStatusConflict(error)) throw error;
  }
}

/** The sale once its payout is begun. */
export function withWithheld(
  sale: Sale,
  withholdings: readonly Withholding[],
  status: 'releasing' | 'released',
): Sale {
  return { ...sale, status, payment: { ...sale.payment, withheldCents: withheldCentsOf(withholdings) } };
}
