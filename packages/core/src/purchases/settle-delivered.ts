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
import { DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { capture, post } from '../ledger/index.ts';
import { asPaymentRefusal, captureReserved } from './card-payments.ts';
import { tryGiveBack } from './give-back.ts';
import { paymentErrors } from './payment.errors.ts';
import type { PaidPurchase } from './purchase.ts';
import { countDelivered, findPurchase } from './purchases.store.ts';
import { recordSettled } from './reservations.store.ts';
import { isUnavailable } from './reserve.ts';
import { type Delivered, signReceipt } from './sign-receipt.ts';

type SettlePorts = Pick<Ports, 'market' | 'cards' | 'ids' | 'clock' | 'log' | 'signer' | 'keyedHash'>;

/** Writes the last step of a purchase, together with whatever else must be true with it. */
export type Commit = (statements: readonly Statement[]) => Promise<unknown>;

/** A purchase as it will be once its money is taken. */
export type SignedSale = PaidPurchase & Delivered;

interface SettleTerms {
  readonly commit: Commit;
  readonly isPushed: boolean;
}

/**
 * Takes the money for what was just delivered and records the sale; only then may it be shown. Throws where
 * the money could not be taken, or nobody can tell: then nothing is shown, and what was taken goes back.
 */
export async function settleDelivered(
  ports: SettlePorts,
  purchase: PaidPurchase,
  contentDigest: string,
  terms: SettleTerms,
): Promise<PaidPurchase> {
  // The seller may have taken its time: the receipt says when the data was here.
  const sale = await signSale(ports, purchase, contentDigest, isoTime(ports.clock.now()));
  return recordSale(ports, sale, await takeMoney(ports, purchase), terms);
}

/**
 * The sale that a delivery makes of a purchase, with its receipt: before any money is taken, as what nobody can sign
 * for must not be charged.
 */
export async function signSale(
  ports: Pick<SettlePorts, 'clock' | 'signer' | 'keyedHash'>,
  purchase: PaidPurchase,
  contentDigest: string,
  deliveredAt: IsoTime,
): Promise<SignedSale> {
  const schedule = scheduleAt(FEE_SCHEDULES, ports.clock.now());
  const delivered = {
    ...purchase,
    contentDigest,
    deliveredAt,
    feeScheduleVersion: schedule.version,
    platformFeeCents: platformFeeCents(schedule.rates, purchase.amountCents),
  };
  return {
    ...delivered,
    status: statusOnceDelivered(purchase.amountCents),
    receipt: await signReceipt(ports, delivered, purchase.payment.fingerprint),
    payment: {
      ...purchase.payment,
      capturedAt: deliveredAt,
      holdUntil: purchase.amountCents === 0 ? null : holdUntil(purchase.payment, deliveredAt, null),
      shipBy: purchase.amountCents === 0 ? null : shipBy(purchase.payment, deliveredAt),
    },
  };
}

/** Records a sale whose money was taken. */
export async function recordSale(
  ports: SettlePorts,
  sale: SignedSale,
  chargeId: string | null,
  { commit, isPushed }: SettleTerms,
): Promise<PaidPurchase> {
  const { deliveredAt } = sale;
  const settled: PaidPurchase = { ...sale, payment: { ...sale.payment, chargeId } };
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
  // Only who asks the chain knows whether that is paid.
  if (purchase.rail === 'x402') throw new Error(`Purchase ${purchase.id} is not settled here.`);
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
