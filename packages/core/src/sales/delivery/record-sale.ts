import { FEE_SCHEDULES, feeOfSliceCents, platformFeeCents, scheduleAt } from '../../fees/index.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { dayOf } from '../../kernel/time.ts';
import { capture, post } from '../../ledger/index.ts';
import { cancelSaleBestEffort } from '../cancel-sale.ts';
import { holdUntil, shipBy } from '../escrow/escrow.rules.ts';
import { inLedger } from '../ledger-sale.rules.ts';
import { paymentErrors } from '../payment.errors.ts';
import { railOf } from '../rails/rails.ts';
import { lowerAmount, recordCaptured } from '../reservations.store.ts';
import type { Sale } from '../sale.ts';
import { sellerEvent } from '../sale-events.ts';
import { isSettled, statusAfterCapture } from '../sale-status.rules.ts';
import { findSale, isClaimLost, isStatusConflict, isUnavailable } from '../sales.store.ts';
import { insertOwedAnswer, oweUnshownAnswer } from './answers.store.ts';
import { countDeliveredOf } from './count-outcome.ts';
import { type ContentPush, pushedEvent } from './push-content.ts';
import { type AnsweredSale, type DeliveredSale, type DeliveryFacts, signReceipt } from './sign-receipt.ts';
import { isOtherSliceRecorded, requireSlices, sumSlices } from './slices.store.ts';
import { atUsedPrice } from './used-units.rules.ts';

type RecordPorts = Pick<
  Ports,
  'market' | 'cards' | 'chain' | 'ids' | 'clock' | 'log' | 'signer' | 'keyedHash' | 'background'
>;

/** Writes the last step of a sale, together with whatever else must be true with it. */
export type Commit = (statements: readonly Statement[]) => Promise<unknown>;

export interface RecordTerms {
  readonly commit: Commit;
  /**
   * Who waits for the answer: the request of its buyer, which is given it now; its callback, to which it is pushed next;
   * nobody. To the last two it is owed.
   */
  readonly waiting: 'request' | 'nobody' | ContentPush;
}

/**
 * The sale that a delivery makes, with its receipt: before any money is taken, as nobody may be charged for what has
 * no receipt.
 */
export async function signSale(
  ports: Pick<RecordPorts, 'clock' | 'ids' | 'signer' | 'keyedHash'>,
  reserved: Sale,
  { contentDigest, deliveredAt, latencyMs, outputSchemaDigest, earlier, units }: DeliveryFacts,
): Promise<DeliveredSale> {
  const sale = atUsedPrice(reserved, units);
  const { amountCents, payment, shipment } = sale;
  const { version, rates } = scheduleAt(FEE_SCHEDULES, ports.clock.now());
  const delivered = {
    ...sale,
    contentDigest,
    deliveredAt,
    latencyMs,
    reservedCents: reserved.amountCents,
    feeScheduleVersion: version,
    platformFeeCents: earlier
      ? feeOfSliceCents(rates, amountCents, earlier)
      : platformFeeCents(rates, amountCents),
  };
  const isFree = amountCents === 0;
  return {
    ...delivered,
    status: statusAfterCapture(amountCents),
    receipt: await signReceipt(ports, delivered, payment.fingerprint, { outputSchemaDigest, units }),
    payment: {
      ...payment,
      capturedAt: deliveredAt,
      holdUntil: isFree ? null : holdUntil(payment, deliveredAt, null),
    },
    shipment: shipment && { ...shipment, shipBy: isFree ? null : shipBy(shipment, deliveredAt) },
  };
}

/** Records a sale whose money was captured; only then may its content be shown. */
export async function recordSale(
  ports: RecordPorts,
  { latencyMs, reservedCents, ...sale }: DeliveredSale,
  captured: readonly Statement[],
  { commit, waiting }: RecordTerms,
): Promise<Sale> {
  const { deliveredAt, receipt } = sale;
  const outputSchemaDigest = receipt?.statement.outputSchemaDigest ?? null;
  const counts = countDeliveredOf(sale, { latencyMs, outputSchemaDigest }, deliveredAt);
  const statements = [
    ...releaseRest(ports, sale, reservedCents),
    ...recordCaptured(sale),
    ...captured,
    ...counts,
  ];
  if (sale.amountCents > 0) {
    statements.push(
      post(capture(inLedger(sale)), ports.ids.uuid(), deliveredAt),
      ...sellerEvent(ports, sale, 'sale.held', deliveredAt),
    );
  }
  if (waiting !== 'request') {
    const callback = waiting === 'nobody' ? null : waiting;
    statements.push(insertOwedAnswer(sale.id, dayOf(deliveredAt), callback?.until ?? null));
    if (callback !== null) statements.push(...pushedEvent(sale, callback, deliveredAt));
  }
  try {
    return await commitSale(ports, sale, () => commit(statements));
  } catch (error) {
    // The buyer gets an error of the marketplace in place of the answer, and the sale may be recorded nevertheless.
    if (waiting === 'request' && sale.receipt !== null && isUnavailable(error)) {
      const owed = oweUnshownAnswer(sale.id, sale.receipt.digest, dayOf(deliveredAt));
      ports.background.run(ports.market.commit([owed]));
    }
    throw error;
  }
}

/** What was reserved above the price goes back, with the sale at its price. */
function releaseRest(ports: RecordPorts, sale: AnsweredSale, reservedCents: number): readonly Statement[] {
  const restCents = reservedCents - sale.amountCents;
  if (restCents === 0) return [];
  const { releaseRest: release, name } = railOf(sale);
  if (release === null)
    throw new Error(`Purchase ${sale.id} cannot be charged less than is reserved on ${name}.`);
  return [...lowerAmount(sale), ...release(ports, sale, restCents, sale.deliveredAt)];
}

/**
 * Records a sale that is charged by units, with the fee of one more slice of what its buyer paid the seller by units on
 * that day. Where another slice is recorded meanwhile, its fee is judged anew.
 */
export async function recordSlice(
  ports: RecordPorts,
  reserved: Sale,
  facts: DeliveryFacts,
  captured: readonly Statement[],
  terms: RecordTerms,
): Promise<Sale> {
  const { id, buyerId, sellerId } = reserved;
  if (buyerId === null) throw new Error(`Purchase ${id} is priced by units, and nobody's.`);
  const slice = { id, buyer: { buyerId }, sellerId, at: facts.deliveredAt };
  for (let triesLeft = SLICE_TRIES - 1; ; triesLeft -= 1) {
    const earlier = await sumSlices(ports.market, slice);
    const signed = await signSale(ports, reserved, { ...facts, earlier });
    try {
      return await recordSale(ports, signed, [...captured, requireSlices(slice, earlier)], terms);
    } catch (error) {
      if (!isOtherSliceRecorded(error) || triesLeft === 0) throw error;
    }
  }
}

/** So many sales of one buyer to one seller are recorded at once: each round records one. */
const SLICE_TRIES = 8;

/** Commits; where the reply is lost, looks what became of it, and tries once more if nothing did. */
async function commitSale(ports: RecordPorts, sale: Sale, commit: () => Promise<unknown>): Promise<Sale> {
  try {
    await commit();
    return sale;
  } catch (error) {
    if (isClaimLost(error)) {
      // The buyer's own retry took over and buys for itself: this sale must not count as well.
      await cancelSaleBestEffort(ports, { ...sale, status: 'authorized' }, 'failed', null);
      throw new Refusal(commonErrors.idempotency_in_flight, { retryAfterSeconds: 1 });
    }
    if (!isUnavailable(error) && !isStatusConflict(error)) throw error;
    const found = await findSale(ports.market, sale.id);
    if (found && isSettled(found.status)) return { ...found, query: sale.query };
    if (isUnavailable(error) && found?.status === 'authorized') {
      await commit();
      return sale;
    }
    throw new Refusal(paymentErrors.reservation_gone);
  }
}
