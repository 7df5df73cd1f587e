import { Refusal } from '../../kernel/errors.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import type { Listing } from '../../listings/index.ts';
import { cancelSaleBestEffort } from '../cancel-sale.ts';
import { paymentErrors } from '../payment.errors.ts';
import type { Capture } from '../rails/rail.ts';
import { railOf } from '../rails/rails.ts';
import { queryToAsk } from '../reservation/sealed-query.ts';
import { awaitSettlement } from '../reservations.store.ts';
import type { Sale } from '../sale.ts';
import type { Outcome } from '../sale-status.rules.ts';
import { retryAt } from '../sale-terms.rules.ts';
import { settlementErrors } from '../settlement.errors.ts';
import { countUndeliveredOf } from './count-outcome.ts';
import { deliveryRefusal, type Undelivered } from './delivery-refusal.ts';
import { type Content, fetchContent, type Shown } from './fetch-content.ts';
import { type RecordTerms, recordSale, recordSlice, signSale } from './record-sale.ts';
import type { DeliveredSale } from './sign-receipt.ts';

/** How far the money of a sale is known to be before its seller is asked. */
export type SettlementState =
  /** Nobody asked for it yet. */
  | { readonly kind: 'none' }
  /** It was asked for before; the outside does not show it, and may yet. */
  | { readonly kind: 'attempted' }
  | { readonly kind: 'confirmed'; readonly reference: string };

export interface DeliveryTerms extends RecordTerms {
  /**
   * Whether the reservation stays after this outcome, and the seller may be asked again. Left out: it never does.
   */
  staysReserved?(outcome: Undelivered): boolean;
  readonly settlement?: SettlementState;
  /** In place of the rail's own `capture`, where the payer's signature is at hand. */
  capture?(sale: DeliveredSale): Promise<Capture>;
}

export type DeliveryResult =
  | {
      readonly kind: 'sold';
      readonly sale: Sale;
      readonly content: Shown;
      /** What took the money, outside. */
      readonly reference: string | null;
    }
  /** Nothing was charged, and never will be. */
  | { readonly kind: 'refused'; readonly fault: string }
  /** Nobody knows yet. */
  | { readonly kind: 'pending'; readonly reference: string | null }
  /** Nothing was charged. Where the sale stays reserved, whoever asked for it counts the failure. */
  | { readonly kind: 'undelivered'; readonly outcome: Undelivered; readonly staysReserved: boolean };

/**
 * Query, then charge: asks the seller of an authorised sale, captures the money if it delivered, and records the sale.
 * Nothing is shown before that. What is not paid and never will be is given back.
 */
export async function deliverSale(
  ports: Ports,
  listing: Listing,
  sale: Sale,
  terms: DeliveryTerms,
): Promise<DeliveryResult> {
  const { settlement = { kind: 'none' } } = terms;
  const { capture } = railOf(sale);
  const take = terms.capture ?? (capture && (() => capture(ports, sale)));
  if (take === null) throw new Error(`Purchase ${sale.id} is taken by the request that pays only.`);
  // The version that was bought: the listing may have changed since.
  const bought = { ...listing, fingerprint: sale.payment.fingerprint, meter: sale.payment.meter };
  const { id: purchaseId, amountCents } = sale;
  const request = { purchaseId, query: queryToAsk(sale), redelivery: 0, isPaid: amountCents > 0 };
  const content = await fetchContent(ports, bought, request, ports.clock.now());
  if (content.kind !== 'delivered') {
    const counts = countUndeliveredOf(listing, content, sale, isoTime(ports.clock.now()));
    return endUndelivered(ports, sale, content, { ...terms, counts });
  }
  const { digest: contentDigest, latencyMs, outputSchemaDigest, units } = content;
  const deliveredAt = isoTime(ports.clock.now());
  const facts = { contentDigest, deliveredAt, latencyMs, outputSchemaDigest, units };
  let signed: DeliveredSale;
  try {
    signed = await signSale(ports, sale, facts);
  } catch (error) {
    if (settlement.kind === 'none') throw error;
    // What was paid already is for the next try, or goes back.
    ports.log.error('sale_not_recorded', { purchaseId: sale.id, message: String(error) });
    return awaitOutside(ports, sale, { reference: referenceOf(settlement) });
  }
  const captured = await take(signed);
  switch (captured.kind) {
    case 'captured':
      return finishDelivered(ports, signed, captured, content, {
        record: (statements) =>
          sale.payment.meter === null
            ? recordSale(ports, signed, statements, terms)
            : recordSlice(ports, sale, facts, statements, terms),
      });
    case 'pending':
      return awaitOutside(ports, sale, captured);
    case 'refused':
      await cancelSaleBestEffort(ports, sale, 'failed', captured.fault.slice(0, 64));
      return captured;
    case 'gone':
      await cancelSaleBestEffort(ports, sale, 'expired', paymentErrors.reservation_gone.code);
      throw new Refusal(paymentErrors.reservation_gone);
  }
}

interface FinishTerms {
  record(statements: readonly Statement[]): Promise<Sale>;
}

async function finishDelivered(
  ports: Ports,
  signed: DeliveredSale,
  { reference, statements }: Extract<Capture, { kind: 'captured' }>,
  content: Content,
  { record }: FinishTerms,
): Promise<DeliveryResult> {
  const rail = railOf(signed);
  let sale: Sale;
  try {
    sale = await record(statements);
  } catch (error) {
    if (rail.undeliveredGraceMs === 0) throw error;
    // Captured for good and not written down: the same payment again, or a job, records it.
    ports.log.error('sale_not_recorded', { purchaseId: signed.id, message: String(error) });
    return awaitOutside(ports, signed, { reference });
  }
  ports.background.run(ports.jobs.send({ kind: 'outbox' }));
  ports.background.run(rail.afterSale(ports, sale));
  const shown: Shown = sale.contentDigest === content.digest ? content : { kind: 'changed' };
  return { kind: 'sold', sale, content: shown, reference };
}

interface UndeliveredTerms extends DeliveryTerms {
  readonly counts: readonly Statement[];
}

async function endUndelivered(
  ports: Ports,
  sale: Sale,
  outcome: Undelivered,
  { settlement = { kind: 'none' }, staysReserved, counts }: UndeliveredTerms,
): Promise<DeliveryResult> {
  switch (settlement.kind) {
    case 'confirmed':
      if (counts.length > 0) ports.background.run(ports.market.commit(counts));
      throw paidNotDelivered(outcome);
    case 'attempted':
      return awaitOutside(ports, sale, { reference: null, statements: counts });
    case 'none': {
      const stays = staysReserved?.(outcome) ?? false;
      const { code } = deliveryRefusal(outcome).definition;
      if (!stays) await cancelSaleBestEffort(ports, sale, outcomeOf(outcome), code, counts);
      return { kind: 'undelivered', outcome, staysReserved: stays };
    }
  }
}

/** Leaves it to the same payment sent again, and to a job that looks soon. */
export async function awaitOutside(
  ports: Pick<Ports, 'market' | 'clock' | 'log'>,
  sale: Sale,
  {
    reference,
    statements = [],
  }: { readonly reference: string | null; readonly statements?: readonly Statement[] },
): Promise<Extract<DeliveryResult, { kind: 'pending' }>> {
  await ports.market
    .commit([...statements, awaitSettlement(sale.id, retryAt(0, ports.clock.now()))])
    .catch((error: unknown) => {
      const message = String(error);
      ports.log.error('settlement_not_noted', { purchaseId: sale.id, reference, message });
    });
  return { kind: 'pending', reference };
}

const referenceOf = (settlement: SettlementState): string | null =>
  settlement.kind === 'confirmed' ? settlement.reference : null;

export function paidNotDelivered(
  outcome: Undelivered,
  stays = 'The payment is settled and stays good for this query.',
): Refusal {
  const [why] = deliveryRefusal(outcome).definition.title.split('.');
  const detail = `${why}. ${stays}`;
  return new Refusal(settlementErrors.paid_not_delivered, { detail, charged: true, retryAfterSeconds: 5 });
}

/** Data that is not what it claims to be is refunded, as the contract calls it; the rest was never charged. */
function outcomeOf({ kind }: Undelivered): Outcome {
  return kind === 'integrity_mismatch' ? 'refunded' : 'failed';
}
