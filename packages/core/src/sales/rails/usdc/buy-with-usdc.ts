import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { Refusal } from '../../../kernel/errors.ts';
import type { Chain, PaymentFault } from '../../../kernel/ports/chain.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import type { EpochMs } from '../../../kernel/time.ts';
import type { Listing } from '../../../listings/index.ts';
import { cancelSaleBestEffort } from '../../cancel-sale.ts';
import {
  awaitOutside,
  deliverSale,
  paidNotDelivered,
  type SettlementState,
} from '../../delivery/deliver-sale.ts';
import { deliveryRefusal, type Undelivered } from '../../delivery/delivery-refusal.ts';
import { type Redelivered, redeliver } from '../../delivery/redeliver.ts';
import { newSale, type Order } from '../../reservation/new-sale.ts';
import { reserveSale } from '../../reservation/reserve-sale.ts';
import type { Sale } from '../../sale.ts';
import { settleOnChain } from './settle-on-chain.ts';
import { platformRefusal } from './settlement-refusal.ts';
import type { UsdcOffer, UsdcPayment } from './usdc-payment.ts';
import { noteTransaction } from './usdc-payments.store.ts';
import { hintOf, usdcRail } from './usdc-rail.ts';
import { FRESH_ROOM_MS, TIME_FAULTS, timeFault } from './usdc-times.rules.ts';

export type UsdcOutcome =
  | {
      readonly kind: 'sold';
      readonly sale: Sale;
      readonly answer: Exclude<Redelivered, Undelivered>;
      readonly transaction: Hex;
    }
  /** Nothing was charged, and this payment is free again. */
  | { readonly kind: 'refused'; readonly fault: PaymentFault }
  /** Nobody knows yet. */
  | { readonly kind: 'pending'; readonly transaction: Hex | null };

/** Everything that one request works with. */
export interface UsdcWork {
  readonly ports: Ports;
  readonly chain: Chain;
  readonly listing: Listing;
  readonly sale: Sale;
  readonly offer: UsdcOffer;
}

type NewWork = Omit<UsdcWork, 'sale'>;

/** Buys for a payment that was checked; `settledBy`: the chain shows it already. */
export async function buyWithUsdc(
  work: NewWork,
  order: Omit<Order, 'email'>,
  settledBy: Hex | null,
  now: EpochMs,
): Promise<UsdcOutcome> {
  const { ports, listing, offer } = work;
  const sale = newSale(ports, listing, { ...order, email: null }, usdcRail, now);
  await reserveSale(ports, {
    sale,
    instrument: offer,
    spender: order.spender,
    queryKey: offer.queryKey,
    isSettled: settledBy !== null,
  });
  const settlement: SettlementState =
    settledBy === null ? { kind: 'none' } : { kind: 'confirmed', reference: settledBy };
  return deliverForUsdc({ ...work, sale }, settlement);
}

/**
 * Goes on where an earlier request with the same payment stopped: reserved, delivered, perhaps settled. The chain says
 * which.
 */
export async function resumeWithUsdc(work: UsdcWork, recorded: UsdcPayment): Promise<UsdcOutcome> {
  const { ports, chain, offer, sale } = work;
  const wasAttempted = recorded.contentDigest !== null;
  const trace = await chain.find(offer.transfer.authorization, hintOf(sale, recorded));
  switch (trace.kind) {
    case 'settled':
      return deliverForUsdc(work, { kind: 'confirmed', reference: trace.transaction });
    case 'pending':
      return awaitChain(work, trace.transaction);
    case 'void':
      return giveUp(work, 'invalid_transaction_state');
    case 'unavailable':
      if (wasAttempted) return { kind: 'pending', transaction: recorded.transactionHash };
      throw platformRefusal(ports, 'chain', { charged: null, retryAfterSeconds: 5 });
    case 'unused': {
      if (trace.isExpired) return giveUp(work, TIME_FAULTS.valid_before);
      if (wasAttempted) return deliverForUsdc(work, { kind: 'attempted' });
      const fault = timeFault(offer.transfer.authorization, ports.clock.now(), FRESH_ROOM_MS);
      return fault ? giveUp(work, TIME_FAULTS[fault]) : deliverForUsdc(work, { kind: 'none' });
    }
  }
}

/** The data of a sale again, for its payment sent again; the sale is not affected. */
export async function repeatForUsdc(
  { ports, sale }: UsdcWork,
  { settledBy }: UsdcPayment,
): Promise<UsdcOutcome> {
  const answer = await redeliver(ports, sale);
  switch (answer.kind) {
    case 'delivered':
    case 'changed':
    case 'limited':
    case 'ended':
    case 'none':
      return { kind: 'sold', sale, answer, transaction: settledBy ?? '0x' };
    default:
      throw paidNotDelivered(answer);
  }
}

async function deliverForUsdc(work: UsdcWork, settlement: SettlementState): Promise<UsdcOutcome> {
  const { ports, chain, listing, sale, offer } = work;
  const result = await deliverSale(ports, listing, sale, {
    commit: (statements) => ports.market.commit(statements),
    waiting: 'request',
    settlement,
    capture: (signed) => settleOnChain({ ports, chain, offer, settlement }, signed),
  }).catch(async (error: unknown) => {
    // Nobody was asked to settle it yet: its payer need not wait for a job to use the payment again.
    if (settlement.kind === 'none' && !(error instanceof Refusal))
      await cancelSaleBestEffort(ports, sale, 'failed', null);
    throw error;
  });
  switch (result.kind) {
    case 'sold':
      return {
        kind: 'sold',
        sale: result.sale,
        answer: result.content.kind === 'changed' ? result.content : { ...result.content, redelivery: null },
        transaction: (result.reference ?? '0x') as Hex,
      };
    case 'pending':
      return { kind: 'pending', transaction: result.reference as Hex | null };
    case 'refused':
      return result;
    case 'undelivered':
      throw deliveryRefusal(result.outcome);
  }
}

/** This payment will not be settled by what was done here: the reservation ends. */
async function giveUp({ ports, sale }: UsdcWork, fault: PaymentFault): Promise<UsdcOutcome> {
  await cancelSaleBestEffort(ports, sale, 'failed', fault.slice(0, 64));
  return { kind: 'refused', fault };
}

async function awaitChain({ ports, sale }: UsdcWork, transaction: Hex | null): Promise<UsdcOutcome> {
  const statements = transaction === null ? [] : [noteTransaction(sale.id, transaction)];
  await awaitOutside(ports, sale, { reference: transaction, statements });
  return { kind: 'pending', transaction };
}
