import { UNITS_PER_CENT } from '../kernel/ports/chain.ts';
import type { Database } from '../kernel/ports/database.ts';
import { type EpochMs, HOUR_MS, isoTime } from '../kernel/time.ts';
import { findAccountKind } from './account.rules.ts';
import { UNEXPLAINED_ACCOUNT } from './ledger.rules.ts';
import { readPendingRefunds } from './outside/pending-refunds.store.ts';
import { type Difference, readReconciliation } from './reconciliation.store.ts';

/** A top-up still open so long after its time that nothing will settle it by itself. */
const OVERDUE_MS = 2 * HOUR_MS;

export interface Finding extends Difference {
  readonly check: /** All balances sum to zero. */
    | 'ledger_sum'
    /** An account holds what its entries sum to. */
    | 'entries'
    /** An account holds what top-ups, purchases and chargebacks say: wallets, reserves, escrow, fees, clearing, payouts. */
    | 'account'
    /** A paid top-up, captured or paid-out purchase has its posting, and a posting has its reason. */
    | 'posting'
    /** A wallet's total of paid top-ups is their sum. */
    | 'funded'
    /** A top-up is open although its time is over. */
    | 'top_up_overdue'
    /** What the processor's balance shows and nobody knows: an operator's adjustment says what it is. */
    | 'unexplained'
    /** The card processor holds what the ledger says it does. */
    | 'card_processor'
    /** The platform's account on chain holds what the ledger says it does. */
    | 'usdc';
}

/** Balances at the card processor. */
export interface ProcessorFigures {
  readonly availableCents: number;
  readonly pendingCents: number;
  /** What it kept so far and the ledger does not know yet. */
  readonly keptCents: number;
}

/** Balances on chain. */
export interface ChainFigures {
  /** Of the token: a ten thousandth of a cent each. */
  readonly balanceUnits: bigint;
  /** What the operator put into the account so far, less what it took out, which the ledger does not know. */
  readonly addedCents: number;
}

/** Of one kind of account. Positive: what the platform owes, or earned; negative: what it holds, or lost. */
export interface AccountBalance {
  readonly account: string;
  readonly amount: number;
  /** `usd` in cents, `gwei` for gas. */
  readonly currency: 'usd' | 'gwei';
  readonly rail: 'card' | 'usdc' | null;
}

export interface ReconciliationReport {
  readonly balances: readonly AccountBalance[];
  /** Empty when everything agrees. */
  readonly findings: readonly Finding[];
  readonly walletLiabilityCents: number;
  readonly reservedCents: number;
  readonly escrowCents: number;
  readonly feesCents: number;
  readonly cardClearingCents: number;
  /** What cardholders' banks took and nobody else bears, those that may still be won included. */
  readonly chargebacksCents: number;
  readonly usdcClearingCents: number;
  /** What the processor kept, for disputes too. */
  readonly processorFeesCents: number;
  /** Through the card processor. */
  readonly payoutsCents: number;
  readonly usdcPayoutsCents: number;
  /** What payers sent above the price, and was not given back: no posting has it. */
  readonly usdcOverpaidCents: number;
}

/** Compares the ledger with everything that must agree with it. */
export async function reconcile(
  db: Database,
  { processor, chain }: { processor: ProcessorFigures | null; chain: ChainFigures | null },
  now: EpochMs,
): Promise<ReconciliationReport> {
  const [ledger, pendingCents] = await Promise.all([
    readReconciliation(db, isoTime(now - OVERDUE_MS)),
    readPendingRefunds(db),
  ]);
  const total = (name: string) => ledger.totals.get(name) ?? 0;
  const findingsOf = (check: Finding['check'], differences: readonly Difference[]): Finding[] =>
    differences.map((one) => ({ check, ...one }));
  const sum = [...ledger.totals.values()].reduce((all, cents) => all + cents, 0);
  const findings = [
    ...findingsOf('ledger_sum', difference('ledger', 0, sum)),
    ...findingsOf('entries', ledger.entries),
    ...findingsOf('account', ledger.accounts),
    ...findingsOf('posting', ledger.postings),
    ...findingsOf('funded', ledger.funded),
    ...findingsOf('top_up_overdue', ledger.overdue),
    ...findingsOf('unexplained', difference('ledger', 0, total(UNEXPLAINED_ACCOUNT))),
  ];
  if (processor !== null) {
    const held = processor.availableCents + processor.pendingCents + processor.keptCents;
    // Payouts by card left the processor's balance; those in USDC never passed through it.
    const expected = pendingCents - total('card_clearing') - total('payouts');
    findings.push(...findingsOf('card_processor', difference('balance', expected, held)));
  }
  if (chain !== null) {
    const ledgerCents = chain.addedCents - total('usdc_clearing') - total('payouts_usdc');
    const expected = BigInt(ledgerCents) * UNITS_PER_CENT + ledger.overpaidUnits;
    findings.push(
      ...findingsOf('usdc', difference('balance', wholeCents(expected), wholeCents(chain.balanceUnits))),
    );
  }
  const balances = [...ledger.totals].map(([account, amount]): AccountBalance => {
    const { currency = 'usd', rail = null } = findAccountKind(account) ?? {};
    return { account, amount, currency, rail };
  });
  return {
    balances,
    findings,
    walletLiabilityCents: total('wallet') + total('refund_credit'),
    reservedCents: total('reserved'),
    escrowCents: total('escrow'),
    feesCents: total('fees'),
    cardClearingCents: total('card_clearing'),
    chargebacksCents: 0 - total('chargebacks'),
    usdcClearingCents: total('usdc_clearing'),
    payoutsCents: total('payouts'),
    usdcPayoutsCents: total('payouts_usdc'),
    processorFeesCents: 0 - total('processor_fees') - total('dispute_fees'),
    usdcOverpaidCents: wholeCents(ledger.overpaidUnits),
  };
}

/** Fractions of a cent are left out: they are dust. */
export const wholeCents = (units: bigint): number => Number(units / UNITS_PER_CENT);

function difference(subject: string, expectedCents: number, actualCents: number): Difference[] {
  return expectedCents === actualCents ? [] : [{ subject, expectedCents, actualCents }];
}
