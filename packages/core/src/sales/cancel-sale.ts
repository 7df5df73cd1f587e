import type { Statement } from '../kernel/ports/database.ts';
import { DAY_MS, type IsoTime, isoTime } from '../kernel/time.ts';
import { capture, post, refund, takeFromEscrow } from '../ledger/index.ts';
import { giveSubsidyBack } from '../subsidies/index.ts';
import { inLedger } from './ledger-sale.rules.ts';
import { partOfSale } from './rails/card/chargeback.rules.ts';
import { requireSetAside } from './rails/early-captures.store.ts';
import type { Cancellation, CapturedStanding, Rail, RailPorts } from './rails/rail.ts';
import { railOf } from './rails/rails.ts';
import { decideOutcome, recordOutcome, requireUndecided, revertOutcome } from './reservations.store.ts';
import type { Sale } from './sale.ts';
import { buyerEvent, refundedEvents } from './sale-events.ts';
import type { Outcome } from './sale-status.rules.ts';
import { retryAt } from './sale-terms.rules.ts';
import { isStatusConflict, setPayment } from './sales.store.ts';

interface CancellationTerms {
  /** The outside says that the money was taken. */
  readonly captured?: CapturedStanding | null;
  /** What is counted of the seller that did not deliver, with the decision that the sale ends. */
  readonly counts?: readonly Statement[];
}

/**
 * Ends a sale that nobody is charged for: its money and its unit of the listing go back, once, however often this is
 * called and whoever else does. Throws if the outcome is not known; calling again is always safe.
 */
export async function cancelSale(
  ports: RailPorts,
  sale: Sale,
  outcome: Outcome,
  failure: string | null,
  { captured = null, counts = [] }: CancellationTerms = {},
): Promise<void> {
  const rail = railOf(sale);
  try {
    if (rail.isHeldOutside || captured !== null)
      await cancelOutside(ports, rail, { sale, outcome, failure, captured, counts });
    else await ports.market.commit([...cancelHere(ports, rail, sale, outcome, failure), ...counts]);
  } catch (error) {
    if (!isStatusConflict(error)) throw error;
  }
}

/** The same where its failure must not hide why it was called: a job finishes what is left undone. */
export async function cancelSaleBestEffort(
  ports: RailPorts,
  sale: Sale,
  outcome: Outcome,
  failure: string | null,
  counts: readonly Statement[] = [],
): Promise<void> {
  await cancelSale(ports, sale, outcome, failure, { counts }).catch((error: unknown) => {
    ports.log.error('cancel_delayed', { purchaseId: sale.id, message: String(error) });
  });
}

/** Nothing outside knows of the reservation: one transaction ends it. */
function cancelHere(
  ports: RailPorts,
  rail: Rail,
  sale: Sale,
  outcome: Outcome,
  failure: string | null,
): Statement[] {
  const at = isoTime(ports.clock.now());
  return [
    ...requireUndecided(sale.id),
    ...recordOutcome(sale, outcome, { failure }),
    ...giveSubsidyBack(sale),
    ...rail.release(ports, sale, at),
    ...outcomeEvents(ports, sale, outcome, at),
  ];
}

interface OutsideCancellation {
  readonly sale: Sale;
  readonly outcome: Outcome;
  readonly failure: string | null;
  readonly captured: CapturedStanding | null;
  readonly counts: readonly Statement[];
}

/** What is decided is written first, so that whoever finds this half done ends it the same way. */
async function cancelOutside(
  ports: RailPorts,
  rail: Rail,
  { sale, outcome, failure, captured, counts }: OutsideCancellation,
): Promise<void> {
  const { market, clock } = ports;
  const { id, payment } = sale;
  const decided = payment.outcome ?? outcome;
  const { attempts } = payment;
  await market.commit([
    ...decideOutcome(id, decided, failure, retryAt(attempts, clock.now())),
    setPayment(id, { attempts: attempts + 1 }),
    ...counts,
  ]);
  const cancellation = await rail.cancel(ports, sale, captured);
  const at = isoTime(clock.now());
  switch (cancellation.kind) {
    case 'released':
      await market.commit([
        ...recordOutcome(sale, decided, {}),
        ...giveSubsidyBack(sale),
        ...rail.release(ports, sale, at),
        ...outcomeEvents(ports, sale, decided, at),
      ]);
      return;
    case 'refunded':
      await market.commit(refundStatements(ports, sale, cancellation, at));
      return;
    case 'pending':
      return;
    case 'not_possible':
      await market.commit([revertOutcome(id, isoTime(clock.now() + DAY_MS))]);
  }
}

/** It was captured and refunded: both are in the ledger, in one transaction. */
function refundStatements(
  ports: RailPorts,
  sale: Sale,
  cancellation: Extract<Cancellation, { kind: 'refunded' }>,
  at: IsoTime,
): Statement[] {
  const { id, payment } = sale;
  const {
    refundId,
    isChargedBack,
    statements,
    capturedCents = sale.amountCents,
    capturedAt = at,
    takenCents = 0,
    gasCents = 0,
  } = cancellation;
  const captured: Sale = {
    ...sale,
    amountCents: capturedCents,
    platformFeeCents: Math.min(sale.platformFeeCents, capturedCents),
  };
  const inBooks = inLedger(captured);
  const part = partOfSale({ ...captured, takenNetCents: 0, takenFeeCents: 0 }, takenCents);
  const taken = { takenNetCents: part.netCents, takenFeeCents: part.feeCents };
  const returnPosting = takeFromEscrow({ reference: `${id}:returned`, sellerId: sale.sellerId, ...part });
  const left =
    returnPosting === null ? inBooks : inLedger({ ...captured, payment: { ...payment, ...taken } });
  return [
    // Before the status: what was paid for on chain is never free again.
    setPayment(id, { capturedCents, capturedAt, ...(returnPosting && taken) }),
    ...requireSetAside(id, payment.setAsideAt),
    ...recordOutcome(sale, 'refunded', { refundedCents: capturedCents, refundedAt: at, refundId }),
    ...statements,
    post(capture(inBooks), ports.ids.uuid(), at),
    ...(returnPosting ? [post(returnPosting, ports.ids.uuid(), at)] : []),
    post(refund(left, isChargedBack ? 'chargebacks' : 'payer'), ports.ids.uuid(), at),
    ...refundedEvents(ports, { ...sale, status: 'refunded' }, at, gasCents === 0 ? {} : { gasCents }),
  ];
}

/** A buyer is told of what was paid and goes back, and of what was paid and not collected in time. */
function outcomeEvents(ports: RailPorts, sale: Sale, outcome: Outcome, at: IsoTime): Statement[] {
  const ended = { ...sale, status: outcome };
  if (outcome === 'refunded') return refundedEvents(ports, ended, at);
  const isUncollected = outcome === 'expired' && sale.status === 'authorized';
  return isUncollected ? buyerEvent(ports, ended, 'purchase.expired', at) : [];
}
