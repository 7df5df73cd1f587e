import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { type Chain, UNITS_PER_CENT } from '../../../kernel/ports/chain.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import type { Listing } from '../../../listings/index.ts';
import { newSale, type Order, UNBOUND } from '../../reservation/new-sale.ts';
import {
  insertUnsold,
  isBuyerLimited,
  isReservationRefused,
  recordOutcome,
} from '../../reservations.store.ts';
import { settlementErrors } from '../../settlement.errors.ts';
import type { RecordedOffer } from './usdc-payment.ts';
import {
  isAlreadyRecorded,
  isPaymentTaken,
  noteTransaction,
  requireUnrecorded,
} from './usdc-payments.store.ts';
import { recordOffer, usdcRail } from './usdc-rail.ts';

export interface UnsoldPayment {
  readonly listing: Listing;
  readonly offer: Omit<RecordedOffer, keyof typeof OF_ANYBODY>;
  /** Whose key came with it. */
  readonly buyerId: string | null;
  readonly terms: Order['terms'];
  /** What brought it to the chain; null: it is not known yet. */
  readonly transaction: Hex | null;
  /** Why it buys nothing. */
  readonly failure: string;
}

/** Whoever sent it may have copied it from the chain: it is bound to nothing, and no payer's id is taken for it. */
const OF_ANYBODY = { binding: `sha256:${'0'.repeat(64)}`, identifier: null } as const;

/**
 * Records a transfer that is on chain and buys nothing, as a sale that ended unpaid: like every payment that was given up,
 * it goes back. False: no price is what it moved, or nothing of this listing may be recorded, and an operator has to see
 * to it.
 */
export async function recordUnsoldPayment(
  ports: Ports & { readonly chain: Chain },
  payment: UnsoldPayment,
): Promise<boolean> {
  const { listing, offer, buyerId, terms, transaction, failure } = payment;
  const { units } = offer.transfer.authorization;
  const amountCents = Number(units / UNITS_PER_CENT);
  // To send back less than the smallest price costs the platform more than any sale does.
  if (units % UNITS_PER_CENT !== 0n || amountCents < ports.chain.minCents) return false;
  const order = { spender: UNBOUND, query: null, email: null, holdsUnit: false, isTab: true } as const;
  const now = ports.clock.now();
  const sale = {
    ...newSale(ports, listing, { ...order, buyerId, terms, amountCents }, usdcRail, now),
    shipment: null,
  };
  const statements = [
    requireUnrecorded(offer.transfer.authorization),
    ...insertUnsold(sale),
    ...recordOffer(ports.chain, sale.id, { ...offer, ...OF_ANYBODY }),
    ...(transaction === null ? [] : [noteTransaction(sale.id, transaction)]),
    ...recordOutcome(sale, 'failed', { failure: failure.slice(0, 64) }),
  ];
  try {
    await ports.market.commit(statements);
    return true;
  } catch (error) {
    // Another request with it is at work, and sells it or gives it up.
    if (isPaymentTaken(error))
      throw new Refusal(settlementErrors.payment_in_progress, { retryAfterSeconds: 1 });
    if (isAlreadyRecorded(error)) return true;
    if (isBuyerLimited(error) && buyerId !== null)
      return recordUnsoldPayment(ports, { ...payment, buyerId: null });
    if (isReservationRefused(error)) return false;
    throw error;
  }
}
