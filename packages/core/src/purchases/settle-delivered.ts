import {
  holdUntil,
  inLedger,
  isOvertaken,
  isSettled,
  shipBy,
  statusOnceDelivered,
  tellBuyer,
  tellSeller,
} from '../escrow/index.ts';
import { FEE_SCHEDULES, platformFeeCents, scheduleAt } from '../fees/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { DatabaseError, type Ports, type Statement } from '../kernel/ports.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { capture, post } from '../ledger/index.ts';
import { asPaymentRefusal, captureReserved } from './card-payments.ts';
import { tryGiveBack } from './give-back.ts';
import { paymentErrors } from './payment.errors.ts';
import type { PaidPurchase } from './purchase.ts';
import { countDelivered, findPurchase } from './purchases.store.ts';
import { recordSettled } from './reservations.store.ts';
import { isUnavailable } from './reserve.ts';
import { signReceipt } from './sign-receipt.ts';

type SettlePorts = Pick<Ports, 'market' | 'cards' | 'ids' | 'clock' | 'log' | 'signer' | 'keyedHash'>;

/** Writes the last step of a purchase, together with whatever else must be true with it. */
export type Commit = (statements: readonly Statement[]) => Promise<unknown>;

/**
 * Takes the money for what was just delivered and records the sale; only then may it be shown. Throws where
 * the money could not be taken, or nobody can tell: then nothing is shown, and what was taken goes back.
 */
export async function settleDelivered(
  ports: SettlePorts,
  purchase: PaidPurchase,
  contentDigest: string,
  terms: { readonly commit: Commit; readonly isPushed: boolean; readonly deliveredAt?: IsoTime },
): Promise<PaidPurchase> {
  const { commit, isPushed } = terms;
  const chargeId = await takeMoney(ports, purchase);
  // The seller may have taken its time: the receipt says when the data was here.
  const deliveredAt = terms.deliveredAt ?? isoTime(ports.clock.now());
  const schedule = scheduleAt(FEE_SCHEDULES, ports.clock.now());
  const delivered = {
    ...purchase,
    contentDigest,
    deliveredAt,
    feeScheduleVersion: schedule.version,
    platformFeeCents: platformFeeCents(schedule.rates, purchase.amountCents),
  };
  const settled: PaidPurchase = {
    ...delivered,
    status: statusOnceDelivered(purchase.amountCents),
    receipt: await signReceipt(ports, delivered, purchase.payment.fingerprint),
    payment: {
      ...purchase.payment,
      chargeId,
      capturedAt: deliveredAt,
      holdUntil: purchase.amountCents === 0 ? null : holdUntil(purchase.payment, deliveredAt, null),
      shipBy: purchase.amountCents === 0 ? null : shipBy(purchase.payment, deliveredAt),
    },
  };
  const statements = [...recordSettled(settled), countDelivered(settled)];
  if (settled.amountCents > 0) {
    statements.push(
      post(capture(inLedger(settled)), ports.ids.uuid(), deliveredAt),
      ...tellSeller(ports, settled, 'sale.held', settled.status, deliveredAt),
    );
  }
  if (isPushed)
    statements.push(...tellBuyer(ports, settled, 'purchase.delivered', settled.status, deliveredAt));
  return record(ports, settled, () => commit(statements));
}

async function takeMoney(ports: SettlePorts, purchase: PaidPurchase): Promise<string | null> {
  if (purchase.rail === 'wallet' || purchase.amountCents === 0) return null;
  if (purchase.rail === 'x402') return settledOnChain(purchase);
  if (ports.cards === null)
    throw new Refusal(paymentErrors.payments_not_available, { retryAfterSeconds: 60 });
  let chargeId: string | null;
  try {
    chargeId = await captureReserved(ports.cards, purchase);
  } catch (error) {
    throw asPaymentRefusal(error);
  }
  if (chargeId !== null) return chargeId;
  await tryGiveBack(ports, purchase, 'expired', paymentErrors.reservation_gone.code);
  throw new Refusal(paymentErrors.reservation_gone);
}

/** The transfer was settled before this was called. */
function settledOnChain({ id, payment }: PaidPurchase): string {
  if (payment.chargeId === null) throw new Error(`Purchase ${id} is not settled.`);
  return payment.chargeId;
}

/** Commits; where the reply is lost, looks what became of it, and tries once more if nothing did. */
async function record(
  ports: SettlePorts,
  settled: PaidPurchase,
  commit: () => Promise<unknown>,
): Promise<PaidPurchase> {
  try {
    await commit();
    return settled;
  } catch (error) {
    if (isClaimLost(error)) {
      // The buyer's own retry took over and buys for itself: this one must not count as well.
      await tryGiveBack(ports, before(settled), 'failed', null);
      throw new Refusal(commonErrors.idempotency_in_flight, { retryAfterSeconds: 1 });
    }
    if (!isUnavailable(error) && !isOvertaken(error)) throw error;
    const found = await findPurchase(ports.market, settled.id);
    if (found?.payment && isSettled(found.status)) return { ...found, payment: found.payment };
    if (isUnavailable(error) && found?.status === 'authorized') {
      await commit();
      return settled;
    }
    throw new Refusal(paymentErrors.reservation_gone);
  }
}

const before = (settled: PaidPurchase): PaidPurchase => ({ ...settled, status: 'authorized' });

function isClaimLost(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'guard idempotency_claim_held';
}
