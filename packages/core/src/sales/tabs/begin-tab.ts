import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { PaymentFault } from '../../kernel/ports/chain.ts';
import { isoTime } from '../../kernel/time.ts';
import { cancelSaleBestEffort } from '../cancel-sale.ts';
import { awaitOutside } from '../delivery/deliver-sale.ts';
import type { UsdcWork } from '../rails/usdc/buy-with-usdc.ts';
import { settlementRefusal } from '../rails/usdc/settlement-refusal.ts';
import { noteTransaction } from '../rails/usdc/usdc-payments.store.ts';
import { hintOf, usdcRail } from '../rails/usdc/usdc-rail.ts';
import { SETTLE_MS } from '../rails/usdc/usdc-times.rules.ts';
import { newSale, type Order } from '../reservation/new-sale.ts';
import { reserveSale } from '../reservation/reserve-sale.ts';
import { extendLease } from '../reservations.store.ts';
import type { Sale } from '../sale.ts';
import { commitIdempotent, isStatusConflict, setPayment } from '../sales.store.ts';
import { TAB_MS, type Tab } from './tab.rules.ts';
import { findTab, markOpen } from './tabs.store.ts';

export type TabOutcome =
  | { readonly kind: 'open'; readonly tab: Tab; readonly transaction: Hex }
  /** Nothing was charged, and this payment is free again. */
  | { readonly kind: 'refused'; readonly fault: PaymentFault }
  /** Nobody knows yet. */
  | { readonly kind: 'pending'; readonly transaction: Hex | null };

/** Opens a tab with a payment that was checked: nothing is answered before it is settled. */
export async function beginTab(
  work: Omit<UsdcWork, 'sale'>,
  order: Omit<Order, 'email' | 'query' | 'isTab'>,
  settledBy: Hex | null,
): Promise<TabOutcome> {
  const { ports, listing, offer } = work;
  const sale = newSale(
    ports,
    listing,
    { ...order, query: null, email: null, isTab: true },
    usdcRail,
    ports.clock.now(),
  );
  await reserveSale(ports, {
    sale,
    instrument: offer,
    spender: order.spender,
    isSettled: settledBy !== null,
  });
  return settledBy === null ? settleTab({ ...work, sale }) : markSettled({ ...work, sale }, settledBy);
}

/** The same payment again: what an earlier request did not live to see is asked of the chain. */
export async function resumeTab(work: UsdcWork): Promise<TabOutcome> {
  const trace = await work.chain.find(
    work.offer.transfer.authorization,
    hintOf(work.sale, { transactionHash: null }),
  );
  switch (trace.kind) {
    case 'settled':
      return markSettled(work, trace.transaction);
    case 'pending':
      return awaitChain(work, trace.transaction);
    case 'unavailable':
      return { kind: 'pending', transaction: null };
    case 'unused':
      return trace.isExpired ? giveUp(work, 'invalid_transaction_state') : settleTab(work);
    case 'void':
      return giveUp(work, 'invalid_transaction_state');
  }
}

async function settleTab(work: UsdcWork): Promise<TabOutcome> {
  const { ports, chain, offer, sale } = work;
  const { transfer, wire, network, hasPaid } = offer;
  const outcome = await chain.settle(transfer, wire, SETTLE_MS, { network, hasPaid });
  if (outcome.kind === 'settled') return markSettled(work, outcome.transaction);
  if (outcome.kind === 'pending') return awaitChain(work, outcome.transaction);
  // Whoever settles may be wrong about it; the chain is not.
  const trace = await chain.find(transfer.authorization);
  switch (trace.kind) {
    case 'settled':
      return markSettled(work, trace.transaction);
    case 'pending':
      return awaitChain(work, trace.transaction);
    case 'unavailable':
      return awaitChain(work, null);
    case 'unused':
    case 'void': {
      const fault = outcome.kind === 'limited' ? outcome.limit : outcome.fault;
      const refused = await giveUp({ ...work, sale }, fault);
      const refusal = settlementRefusal(ports, fault);
      if (refusal !== null) throw refusal;
      return refused;
    }
  }
}

async function markSettled({ ports, sale }: UsdcWork, transaction: Hex): Promise<TabOutcome> {
  const now = ports.clock.now();
  const opened = [
    // A job gave it up while the chain was waited for: its payment is good for another tab, or goes back.
    ...extendLease(sale.id, isoTime(now)),
    ...markOpen(sale, transaction, now),
    // Looked at when it is over, unless its payer closes it.
    setPayment(sale.id, { dueAt: isoTime(now + TAB_MS), leasedUntil: null, attempts: 0 }),
  ];
  try {
    await commitIdempotent(() => ports.market.commit(opened));
  } catch (error) {
    if (!isStatusConflict(error)) throw error;
    return { kind: 'pending', transaction };
  }
  const tab = await findTab(ports.market, sale.id);
  if (tab === null)
    throw new Refusal(commonErrors.service_unavailable, { charged: null, retryAfterSeconds: 2 });
  return { kind: 'open', tab, transaction };
}

async function giveUp({ ports, sale }: UsdcWork, fault: PaymentFault): Promise<TabOutcome> {
  await cancelSaleBestEffort(ports, sale, 'failed', fault.slice(0, 64));
  return { kind: 'refused', fault };
}

async function awaitChain(
  { ports, sale }: { ports: UsdcWork['ports']; sale: Sale },
  transaction: Hex | null,
): Promise<TabOutcome> {
  const statements = transaction === null ? [] : [noteTransaction(sale.id, transaction)];
  await awaitOutside(ports, sale, { reference: transaction, statements });
  return { kind: 'pending', transaction };
}
