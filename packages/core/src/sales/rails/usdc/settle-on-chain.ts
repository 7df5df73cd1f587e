import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { Refusal } from '../../../kernel/errors.ts';
import type { Chain } from '../../../kernel/ports/chain.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { isoTime } from '../../../kernel/time.ts';
import type { SettlementState } from '../../delivery/deliver-sale.ts';
import type { DeliveredSale } from '../../delivery/sign-receipt.ts';
import { extendLease } from '../../reservations.store.ts';
import { LEASE_MS } from '../../sale-terms.rules.ts';
import { commitIdempotent, isStatusConflict } from '../../sales.store.ts';
import { settlementErrors } from '../../settlement.errors.ts';
import type { Capture } from '../rail.ts';
import type { UsdcOffer } from './usdc-payment.ts';
import { noteDelivered, noteTransaction, recordSettledBy } from './usdc-payments.store.ts';
import { SETTLE_MS, SETTLE_ROOM_MS, TIME_FAULTS, timeFault } from './usdc-times.rules.ts';

/** A payment whose signature is at hand, and how far it is known to be. */
export interface UsdcSettlement {
  readonly ports: Ports;
  readonly chain: Chain;
  readonly offer: UsdcOffer;
  readonly settlement: SettlementState;
}

/** Has the payer's transfer settled for what was just delivered; what was delivered is written down before. */
export async function settleOnChain(
  { ports, chain, offer, settlement }: UsdcSettlement,
  { id, contentDigest, deliveredAt, latencyMs, receipt }: DeliveredSale,
): Promise<Capture> {
  const { transfer, wire, network, hasPaid } = offer;
  const now = ports.clock.now();
  const fault = timeFault(transfer.authorization, now, SETTLE_ROOM_MS);
  if (fault !== null && settlement.kind === 'attempted') return pendingCapture(id, null);
  if (fault !== null && settlement.kind === 'none') return { kind: 'refused', fault: TIME_FAULTS[fault] };

  const until = isoTime(now + LEASE_MS);
  const outputSchemaDigest = receipt?.statement.outputSchemaDigest ?? null;
  const facts = { contentDigest, deliveredAt, latencyMs, outputSchemaDigest };
  const delivered = [...extendLease(id, until), noteDelivered(id, facts)];
  try {
    await commitIdempotent(() => ports.market.commit(delivered));
  } catch (error) {
    // Sold or given back by somebody else: the same payment again finds out which.
    if (isStatusConflict(error))
      throw new Refusal(settlementErrors.payment_in_progress, { retryAfterSeconds: 1 });
    if (settlement.kind === 'none') throw error;
    return pendingCapture(id, null);
  }
  if (settlement.kind === 'confirmed') return captureBy(id, settlement.reference as Hex);

  const outcome = await chain.settle(transfer, wire, SETTLE_MS, { network, hasPaid });
  if (outcome.kind === 'settled') return captureBy(id, outcome.transaction);
  if (outcome.kind === 'pending') return pendingCapture(id, outcome.transaction);
  // Whoever settles may be wrong about it; the chain is not.
  const trace = await chain.find(transfer.authorization);
  switch (trace.kind) {
    case 'settled':
      return captureBy(id, trace.transaction);
    case 'pending':
      return pendingCapture(id, trace.transaction);
    case 'unavailable':
      return pendingCapture(id, null);
    case 'unused':
    case 'void':
      return { kind: 'refused', fault: outcome.kind === 'limited' ? outcome.limit : outcome.fault };
  }
}

function captureBy(id: string, transaction: Hex): Capture {
  return { kind: 'captured', reference: transaction, statements: [recordSettledBy(id, transaction)] };
}

/** What is known of its transaction is kept, so that it is found however long ago it was. */
function pendingCapture(id: string, transaction: Hex | null): Capture {
  const statements = transaction === null ? [] : [noteTransaction(id, transaction)];
  return { kind: 'pending', reference: transaction, statements };
}
