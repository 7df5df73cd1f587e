import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { type Chain, UNITS_PER_CENT } from '../../../kernel/ports/chain.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import { epochOf, type IsoTime, isoTime, SECOND_MS } from '../../../kernel/time.ts';
import { bookTabGas, USDC_CLEARING_ACCOUNT } from '../../../ledger/index.ts';
import { findListing, isScarce, MICROS_PER_CENT, railLimits } from '../../../listings/index.ts';
import { requireSlices, sumSlices } from '../../delivery/slices.store.ts';
import type { Sale } from '../../sale.ts';
import { refundKey } from '../../sale-terms.rules.ts';
import { settlementErrors } from '../../settlement.errors.ts';
import { endIfOver } from '../../tabs/end-tab.ts';
import { gasCentsOf } from '../../tabs/return-rests.ts';
import { soldCents, TAB_MS, type Tab } from '../../tabs/tab.rules.ts';
import { endUnusedTab, findTab, fixReturnGas, insertTab, markOpen } from '../../tabs/tabs.store.ts';
import type { CapturedStanding, Rail, RailPorts, Standing } from '../rail.ts';
import { railDefaults } from '../rail-defaults.ts';
import type { RecordedOffer, UsdcOffer, UsdcPayment } from './usdc-payment.ts';
import {
  findUsdcPayment,
  insertUsdcPayment,
  isPaymentTaken,
  noteTransaction,
  recordSettledBy,
  requireUsdcPayment,
} from './usdc-payments.store.ts';
import { REFUND_AFTER_MS } from './usdc-times.rules.ts';

/**
 * USDC on chain (x402). A payer's signed transfer is all the reservation there is: nothing is set aside anywhere until
 * it is settled, and what is settled stays settled. `settle-on-chain.ts` captures, while the signature is at hand; what
 * is here goes by what the chain shows.
 */
export const usdcRail: Rail<UsdcOffer> = {
  ...railDefaults,
  name: 'x402',
  isPaymentMethod: false,
  isRevocable: false,
  undeliveredGraceMs: REFUND_AFTER_MS,
  limits: (ports) => railLimits('x402', ports),
  prepare() {
    throw new Error('A payment in USDC comes with its request.');
  },
  instrumentMark: ({ transfer }) => transfer.authorization.from.toLowerCase(),
  payerAccount: () => USDC_CLEARING_ACCOUNT,
  reserve: (ports, { id }, offer) => recordOffer(chainOf(ports), id, offer),
  explainRefused: (error) =>
    isPaymentTaken(error)
      ? new Refusal(settlementErrors.payment_in_progress, { retryAfterSeconds: 1 })
      : null,
  // Without its signature a payment is only looked for on chain.
  capture: null,
  hasAnswer: async ({ market }, { id }) => (await findTab(market, id)) === null,
  async cancel(ports, sale, captured) {
    if (captured === null) return { kind: 'released' };
    const [{ authorization }, tab] = await Promise.all([
      requireUsdcPayment(ports.market, sale.id),
      findTab(ports.market, sale.id),
    ]);
    // All that was paid, to the account that paid: for a time, version 1 of x402 let payers send more than the price.
    const gasCents = tab === null ? 0 : await gasOfUnusedTab(ports, tab);
    const outcome = await chainOf(ports).pay({
      reference: refundKey(sale.id),
      to: authorization.from,
      units: unitsToRefund(authorization.units, tab) - BigInt(gasCents) * UNITS_PER_CENT,
    });
    switch (outcome.kind) {
      case 'paid':
        return {
          kind: 'refunded',
          refundId: outcome.transaction,
          capturedAt: paidAt(sale, tab),
          isChargedBack: false,
          ...(isTallied(tab) ? { capturedCents: soldCents(tab) } : {}),
          gasCents,
          statements: [
            ...captured.statements,
            ...bookTabGas(sale.id, gasCents, ports.ids.uuid(), isoTime(ports.clock.now())),
            ...(tab === null ? [] : [endUnusedTab(sale.id, outcome.transaction)]),
          ],
        };
      case 'refused':
        ports.log.error('refund_refused', { purchaseId: sale.id, reason: outcome.reason });
        return { kind: outcome.reason === 'not_configured' ? 'not_possible' : 'pending' };
      case 'pending':
      case 'unavailable':
        return { kind: 'pending' };
    }
  },
  async refund(ports, sale) {
    const { market, chain, log } = ports;
    const [paid, tab] = await Promise.all([findUsdcPayment(market, sale.id), findTab(market, sale.id)]);
    if (chain === null || paid === null) return { kind: 'pending' };
    if (paid.chainId !== chain.token.chainId) {
      // What was paid in the token of one chain is not paid back in that of another.
      log.error('refund_refused', { purchaseId: sale.id, reason: 'other_chain' });
      return { kind: 'pending' };
    }
    const { from: to } = paid.authorization;
    // The sale's price alone: what was left of a tab is returned apart.
    const units = unitsToRefund(paid.authorization.units, tab);
    const outcome = await chain.pay({ reference: refundKey(sale.id), to, units });
    if (outcome.kind === 'paid') return { kind: 'refunded', refundId: outcome.transaction };
    if (outcome.kind !== 'refused') return { kind: 'pending' };
    if (outcome.reason === 'not_configured') return { kind: 'not_here' };
    log.error('refund_refused', { purchaseId: sale.id, reason: outcome.reason });
    return { kind: 'pending' };
  },
  canRefund: ({ chain }) => chain !== null,
  async reconcile(ports, sale) {
    const [recorded, tab] = await Promise.all([
      findUsdcPayment(ports.market, sale.id),
      findTab(ports.market, sale.id),
    ]);
    if (recorded === null) return { kind: 'gone', outcome: 'failed', failure: null };
    const chain = chainOf(ports);
    requireSameChain(chain, recorded);
    if (tab !== null && recorded.settledBy !== null) return standingOfTab(ports, sale, recorded, tab);
    const trace = await chain.find(recorded.authorization, hintOf(sale, recorded));
    switch (trace.kind) {
      case 'settled':
        return tab === null
          ? settledStanding(sale, recorded, trace.transaction)
          : openedTab(ports, sale, trace.transaction);
      case 'unavailable':
        throw new Error('The chain could not be asked.');
      case 'pending':
        return { kind: 'pending' };
      case 'void':
        return { kind: 'gone', outcome: 'failed', failure: 'invalid_transaction_state' };
      case 'unused':
        return unusedStanding(ports, sale, { ...recorded, opensTab: tab !== null }, trace.isExpired);
    }
  },
  async payoutSource({ market, chain }, { id }) {
    const paid = await findUsdcPayment(market, id);
    const isHere = paid === null || paid.chainId === chain?.token.chainId;
    return isHere ? { kind: 'here', sourceChargeId: null } : { kind: 'elsewhere' };
  },
};

/** Writes down what a payer signed for a sale, and the tab that it pays for. */
export function recordOffer(
  { token: { chainId } }: Pick<Chain, 'token'>,
  purchaseId: string,
  offer: RecordedOffer,
): Statement[] {
  const { from: payer, units } = offer.transfer.authorization;
  const tab = { purchaseId, payer, chainId, limitMicros: Number(units) };
  return [insertUsdcPayment(purchaseId, chainId, offer), ...(offer.opensTab ? [insertTab(tab)] : [])];
}

/** The request that opened it died: vouchers are taken from now on. */
function openedTab({ clock }: RailPorts, sale: Sale, transaction: Hex): CapturedStanding {
  const statements = markOpen(sale, transaction, clock.now());
  return { kind: 'captured', delivery: null, reference: transaction, statements };
}

/** Vouchers are taken until it is closed or over. It is then sold for what its queries cost; of none, it is paid back. */
async function standingOfTab(
  ports: RailPorts,
  sale: Sale,
  recorded: UsdcPayment,
  open: Tab,
): Promise<Standing> {
  const tab = await endIfOver(ports, open);
  const { settledBy } = recorded;
  if (settledBy === null || tab.closedAt === null || tab.reservedMicros > 0) return { kind: 'pending' };
  // Another tab of its payer took the credit again and again: it is counted in the next look.
  if (tab.talliedAt === null && tab.chargedMicros > 0) return { kind: 'pending' };
  if (tab.talliedAt === null)
    return { kind: 'captured', delivery: null, reference: settledBy, statements: [] };
  // Its price was fixed just now: the sale is read anew.
  if (open.talliedAt === null) return { kind: 'pending' };
  const standing = settledStanding(sale, recorded, settledBy);
  const { delivery, statements } = standing;
  if (delivery === null) return standing;
  // It has no price of its own: its fee follows what its payer paid the seller on that day.
  const slice = { id: sale.id, buyer: { payer: tab.payer }, sellerId: sale.sellerId, at: tab.talliedAt };
  const earlier = await sumSlices(ports.market, slice);
  return {
    ...standing,
    delivery: { ...delivery, earlier },
    statements: [...statements, requireSlices(slice, earlier)],
  };
}

type TalliedTab = Tab & { readonly talliedAt: IsoTime };

const isTallied = (tab: Tab | null): tab is TalliedTab => tab !== null && tab.talliedAt !== null;

/** All that was paid. What is left of a tallied tab goes back by itself, and is no part of its sale. */
export function unitsToRefund(paidUnits: bigint, tab: Tab | null): bigint {
  return isTallied(tab) ? BigInt(soldCents(tab)) * UNITS_PER_CENT : paidUnits;
}

/** When it was paid, as far as it was seen: a tab as it opened, anything else as it came. */
export function paidAt({ createdAt }: Pick<Sale, 'createdAt'>, tab: Tab | null): IsoTime {
  return tab?.expiresAt == null ? createdAt : isoTime(epochOf(tab.expiresAt) - TAB_MS);
}

/** What paying an unused tab back costs, once and for all: asked for again, the same sum is sent. */
async function gasOfUnusedTab(ports: RailPorts, tab: Tab): Promise<number> {
  if (isTallied(tab)) return 0;
  const { purchaseId: id } = tab;
  const gasCents = tab.returnGasCents ?? (await gasCentsOf(chainOf(ports)));
  if (gasCents === null) throw new Error('Nobody knows what gas costs.');
  const borneCents = gasCents * MICROS_PER_CENT < tab.limitMicros ? gasCents : 0;
  await ports.market.commit([fixReturnGas(id, borneCents)]);
  return (await findTab(ports.market, id))?.returnGasCents ?? borneCents;
}

function settledStanding(
  { id }: Sale,
  { contentDigest, deliveredAt, latencyMs, outputSchemaDigest }: UsdcPayment,
  transaction: Hex,
): CapturedStanding {
  const delivery =
    contentDigest === null || deliveredAt === null
      ? null
      : { contentDigest, deliveredAt, latencyMs, outputSchemaDigest };
  return {
    kind: 'captured',
    delivery,
    reference: transaction,
    statements: [delivery === null ? noteTransaction(id, transaction) : recordSettledBy(id, transaction)],
  };
}

/**
 * While it is valid, what was asked for may still come; but some payments are valid for ages. A scarce copy is not held
 * for it: a payer whose transfers revert could sell out a listing without paying.
 */
async function unusedStanding(
  { clock, market }: RailPorts,
  sale: Sale,
  { contentDigest, opensTab }: Pick<UsdcPayment, 'contentDigest'> & { readonly opensTab: boolean },
  isExpired: boolean,
): Promise<Standing> {
  const isSoon = clock.now() < epochOf(sale.createdAt) + REFUND_AFTER_MS;
  // A tab holds no copy, and its request may still wait for the chain.
  if (opensTab && !isExpired && isSoon) return { kind: 'pending' };
  if (contentDigest !== null && !isExpired && isSoon) {
    const listing = await findListing(market, sale.listingId);
    if (listing !== null && !isScarce(listing)) return { kind: 'pending' };
  }
  return { kind: 'gone', outcome: 'expired', failure: sale.payment.failure };
}

function chainOf({ chain }: RailPorts): Chain {
  if (chain === null) throw new Error('There is no chain to ask.');
  return chain;
}

/** What was paid on one chain is not looked for on another: there it would seem never to have been. */
export function requireSameChain({ token }: Pick<Chain, 'token'>, { chainId }: UsdcPayment): void {
  if (token.chainId !== chainId) throw new Error(`It was paid on chain ${chainId}, which is not asked here.`);
}

/** So that the chain finds a transfer however long ago it was. */
export function hintOf({ createdAt }: Sale, { transactionHash }: Pick<UsdcPayment, 'transactionHash'>) {
  return { transaction: transactionHash, seenAt: Math.floor(epochOf(createdAt) / SECOND_MS) };
}
