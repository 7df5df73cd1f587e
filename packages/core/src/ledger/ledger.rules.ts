import type { PlatformPostingKind, PostingKind } from '../db/tables/ledger.ts';

/** The most a wallet may hold (clause: Limits). */
export const WALLET_CAP_CENTS = 50_000;

export interface Leg {
  readonly account: string;
  /** Signed, never zero: positive grows what the platform owes, negative what it holds. */
  readonly amountCents: number;
}

/** One movement of money. There is at most one of a kind for each reference, however often it is committed. */
export interface Posting {
  readonly kind: PostingKind;
  /**
   * The id of a top-up or a purchase; for a chargeback also the chargeback's id and the number of the movement; of the
   * platform's own money, the processor's entry, the transaction or the operator's adjustment.
   */
  readonly reference: string;
  readonly legs: readonly Leg[];
}

/** What the postings of a purchase need to know of it. */
export interface Sale {
  readonly purchaseId: string;
  readonly sellerId: string;
  /** Where the money comes from, and goes back to. A wallet's is reserved in between. */
  readonly payerAccount: string;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  /** How often it came back into escrow. */
  readonly restorations?: number;
  /** How often a transfer of it was taken back from the seller. */
  readonly returns?: number;
  /** It was captured outside before it was delivered, and is booked as reserved. */
  readonly isSetAside?: boolean;
}

export const walletAccount = (agentId: string): string => `wallet:${agentId}`;
/** What came back to an agent and does not fit under the cap of its wallet. */
export const refundCreditAccount = (agentId: string): string => `refund_credit:${agentId}`;
const reservedAccount = (purchaseId: string): string => `reserved:${purchaseId}`;
export const escrowAccount = (sellerId: string): string => `escrow:${sellerId}`;
const FEES_ACCOUNT = 'fees';
export const CARD_CLEARING_ACCOUNT = 'card_clearing';
export const USDC_CLEARING_ACCOUNT = 'usdc_clearing' as const;
/** What cardholders' banks took back and nobody else bears: the platform's loss, possible losses included. */
const ADJUSTMENTS_ACCOUNT = 'adjustments';
const CHARGEBACKS_ACCOUNT = 'chargebacks' as const;
/** Read at the processor, and of a type that nobody knows: for the operator to explain. */
export const UNEXPLAINED_ACCOUNT = 'unexplained';
/** Taken back from sellers, until their sales are in escrow again. */
export const TRANSFER_REVERSALS_ACCOUNT = 'transfer_reversals';
/** What left through the card processor, and what left on chain. */
export const PAYOUT_ACCOUNTS = { card: 'payouts', usdc: 'payouts_usdc' } as const;

/** A card paid for wallet credits. */
export function topUp(payment: { topUpId: string; agentId: string; amountCents: number }): Posting {
  return posting('top_up', payment.topUpId, [
    [CARD_CLEARING_ACCOUNT, -payment.amountCents],
    [walletAccount(payment.agentId), payment.amountCents],
  ]);
}

/** What of a top-up goes back to the card that paid it, and which of its refunds that is. */
interface RefundedTopUp {
  readonly topUpId: string;
  readonly number: number;
  readonly agentId: string;
  readonly amountCents: number;
}

const refundReference = ({ topUpId, number }: RefundedTopUp): string => `${topUpId}:${number}`;

/** Takes it out of the wallet, before the processor is asked. */
export function reserveTopUpRefund(refund: RefundedTopUp): Posting {
  return posting('reserve', refundReference(refund), [
    [walletAccount(refund.agentId), -refund.amountCents],
    [reservedAccount(refund.topUpId), refund.amountCents],
  ]);
}

/** The processor took it on: it has left the platform's balance there. */
export function refundTopUp(refund: RefundedTopUp): Posting {
  return posting('refund', refundReference(refund), [
    [reservedAccount(refund.topUpId), -refund.amountCents],
    [CARD_CLEARING_ACCOUNT, refund.amountCents],
  ]);
}

/** It failed, before (`reserved`) or after (`card`) the processor took it on: it is in the wallet again. */
export function restoreTopUp(refund: RefundedTopUp, from: 'reserved' | 'card'): Posting {
  const account = from === 'card' ? CARD_CLEARING_ACCOUNT : reservedAccount(refund.topUpId);
  return posting('release_reserve', refundReference(refund), [
    [account, -refund.amountCents],
    [walletAccount(refund.agentId), refund.amountCents],
  ]);
}

/** Reserves wallet money before the seller is asked, or what was captured outside before a delivery. */
export function reserve(sale: Sale): Posting {
  return posting('reserve', sale.purchaseId, [
    [sale.payerAccount, -sale.amountCents],
    [reservedAccount(sale.purchaseId), sale.amountCents],
  ]);
}

/** Nothing was delivered: the reservation goes back to the wallet. */
export function releaseReserve(sale: Sale): Posting {
  return posting('release_reserve', sale.purchaseId, [
    [reservedAccount(sale.purchaseId), -sale.amountCents],
    [sale.payerAccount, sale.amountCents],
  ]);
}

/** It was delivered: the buyer's money becomes the seller's share, held in escrow, and the platform's fee. */
export function capture(sale: Sale): Posting {
  return posting('capture', sale.purchaseId, [
    [isReserved(sale) ? reservedAccount(sale.purchaseId) : sale.payerAccount, -sale.amountCents],
    [escrowAccount(sale.sellerId), netCents(sale)],
    [FEES_ACCOUNT, sale.platformFeeCents],
  ]);
}

/** Accounts of the platform that it may pay from by hand. */
type OwnAccount = 'bank' | typeof USDC_CLEARING_ACCOUNT;
export type RefundWay = 'payer' | typeof CHARGEBACKS_ACCOUNT | OwnAccount;

/**
 * Refunds a captured sale to where its money came from, the fee included. `chargebacks`: the cardholder's bank took
 * the money already, so the refund settles that account. Other accounts of the platform are what it paid from.
 */
export function refund(sale: Sale, way: RefundWay = 'payer'): Posting {
  return posting('refund', turnOf(sale, sale.restorations ?? 0), [
    [escrowAccount(sale.sellerId), -netCents(sale)],
    [FEES_ACCOUNT, -sale.platformFeeCents],
    [way === 'payer' ? sale.payerAccount : way, sale.amountCents],
  ]);
}

/** Undoes the refund of a sale: it failed, or the bank gave back what it had taken. */
export function restore(sale: Sale, way: 'payer' | 'chargebacks'): Posting {
  return posting('capture', turnOf(sale, (sale.restorations ?? 0) + 1), [
    [way === 'payer' ? sale.payerAccount : CHARGEBACKS_ACCOUNT, -sale.amountCents],
    [escrowAccount(sale.sellerId), netCents(sale)],
    [FEES_ACCOUNT, sale.platformFeeCents],
  ]);
}

/** A refund that follows a restoration is another one. */
function turnOf({ purchaseId }: Sale, restorations: number): string {
  return restorations === 0 ? purchaseId : `${purchaseId}:${restorations}`;
}

/**
 * A bank took a part of what paid for a sale: it is taken out of the seller's share and of the fee. Negative: it comes
 * back. Null: nothing moves.
 */
export function takeFromEscrow(part: {
  readonly reference: string;
  readonly sellerId: string;
  readonly netCents: number;
  readonly feeCents: number;
}): Posting | null {
  const { reference, sellerId, netCents, feeCents } = part;
  if (netCents === 0 && feeCents === 0) return null;
  return posting('chargeback', reference, [
    [escrowAccount(sellerId), -netCents],
    [FEES_ACCOUNT, -feeCents],
    [CHARGEBACKS_ACCOUNT, netCents + feeCents],
  ]);
}

/**
 * The card processor took money for a cardholder's dispute, or gave it back (negative). The wallet that was topped up
 * with it bears `coveredCents` of that. Null: nothing moved.
 */
export function chargeback(movement: {
  readonly reference: string;
  readonly withdrawnCents: number;
  readonly wallet: { readonly agentId: string; readonly coveredCents: number } | null;
}): Posting | null {
  const { reference, withdrawnCents, wallet } = movement;
  const coveredCents = wallet?.coveredCents ?? 0;
  if (withdrawnCents === 0 && coveredCents === 0) return null;
  return posting('chargeback', reference, [
    [CARD_CLEARING_ACCOUNT, withdrawnCents],
    [CHARGEBACKS_ACCOUNT, coveredCents - withdrawnCents],
    ...(wallet ? [[walletAccount(wallet.agentId), -coveredCents] as [string, number]] : []),
  ]);
}

/** The seller's share has left the platform: through a rail, or from an account of its own. */
export function payout(sale: Sale, way: keyof typeof PAYOUT_ACCOUNTS | OwnAccount = 'card'): Posting {
  return posting('payout', turnOf(sale, sale.returns ?? 0), [
    [escrowAccount(sale.sellerId), -netCents(sale)],
    [way === 'card' || way === 'usdc' ? PAYOUT_ACCOUNTS[way] : way, netCents(sale)],
  ]);
}

export const payoutGasAccount = (sellerId: string): string => `payout_gas:${sellerId}`;

/** The gas of a payout in USDC that its seller chose to bear: so much less of it was sent. Null: the platform bears it. */
export function payoutGas(batch: {
  readonly id: string;
  readonly sellerId: string;
  readonly gasCents: number;
}): Posting | null {
  if (batch.gasCents === 0) return null;
  const from = payoutGasAccount(batch.sellerId);
  return transferOf('gas', batch.id, { into: PAYOUT_ACCOUNTS.usdc, from, amountCents: batch.gasCents });
}

/** The gas of what was paid back of a tab, which its payer bears: so much less was sent. Null: there was none. */
export function tabGas(tabId: string, gasCents: number): Posting | null {
  if (gasCents === 0) return null;
  const movement = { into: USDC_CLEARING_ACCOUNT, from: payoutGasAccount('tabs'), amountCents: gasCents };
  return transferOf('gas', `tab:${tabId}`, movement);
}

/** The seller's share was taken back from it at the processor, as an entry there says: it is in escrow again. */
export function returnPayout(sale: Sale, transferId: string): Posting {
  return posting('transfer_reversal', `returned:${transferId}`, [
    [TRANSFER_REVERSALS_ACCOUNT, -netCents(sale)],
    [escrowAccount(sale.sellerId), netCents(sale)],
  ]);
}

/**
 * The seller's share of what a bank took was taken back from it, as an entry at the processor says: no loss any more. It
 * goes through the escrow, so that the seller's statement has it.
 */
export function recoverClaim(reference: string, sellerId: string, amountCents: number): Posting[] {
  const recovered = posting('transfer_reversal', `recovered:${reference}`, [
    [TRANSFER_REVERSALS_ACCOUNT, -amountCents],
    [escrowAccount(sellerId), amountCents],
  ]);
  return [recovered, bearClaim(reference, sellerId, amountCents)];
}

/** A seller paid its share of what a bank took into an account of the platform; negative: it was paid from there. */
export function settleClaimBy(
  account: string,
  reference: string,
  sellerId: string,
  amountCents: number,
): Posting[] {
  const movement = { into: account, from: escrowAccount(sellerId), amountCents };
  const settled = transferOf('adjustment', `claim:${reference}`, movement);
  const borne = bearClaim(reference, sellerId, amountCents);
  // What leaves the escrow is in it before.
  return amountCents > 0 ? [settled, borne] : [borne, settled];
}

function bearClaim(reference: string, sellerId: string, amountCents: number): Posting {
  const movement = { into: escrowAccount(sellerId), from: CHARGEBACKS_ACCOUNT, amountCents };
  return transferOf('adjustment', `borne:${reference}`, movement);
}

/** Of an asset's account, so much more (negative: less); the other account has it from there. */
export function transferOf(
  kind: PlatformPostingKind,
  reference: string,
  { into, from, amountCents }: { readonly into: string; readonly from: string; readonly amountCents: number },
): Posting {
  return posting(kind, reference, [
    [into, -amountCents],
    [from, amountCents],
  ]);
}

/** The owner of a wallet gave up what was left in it. */
export function giveUp(agentId: string, amountCents: number): Posting {
  const movement = { into: walletAccount(agentId), from: ADJUSTMENTS_ACCOUNT, amountCents };
  return transferOf('adjustment', `given_up:${agentId}`, movement);
}

/** What the seller gets of a sale. */
export function netCents(sale: Pick<Sale, 'amountCents' | 'platformFeeCents'>): number {
  return sale.amountCents - sale.platformFeeCents;
}

/** What moves in a wallet, where its refund credit may have to take a part of it. What is topped up fits, or goes back. */
export function walletPart({ kind, legs }: Posting): { readonly agentId: string; readonly leg: Leg } | null {
  const prefix = walletAccount('');
  const leg = legs.find(({ account }) => account.startsWith(prefix));
  return leg && kind !== 'top_up' ? { agentId: leg.account.slice(prefix.length), leg } : null;
}

function isReserved({ payerAccount, isSetAside }: Sale): boolean {
  return isSetAside === true || payerAccount.startsWith(walletAccount(''));
}

/** Without legs of zero: sales below the smallest price with a fee have none. */
function posting(kind: PostingKind, reference: string, legs: readonly [string, number][]): Posting {
  const nonZero = legs.filter(([, amountCents]) => amountCents !== 0);
  return { kind, reference, legs: nonZero.map(([account, amountCents]) => ({ account, amountCents })) };
}
