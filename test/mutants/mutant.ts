/** One line of the code of money, broken. */
export interface Mutant {
  readonly name: string;
  /** In packages/core/src. */
  readonly file: string;
  /** Found there exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Of these at least one test must fail; all pass without the mutant. */
  readonly tests: readonly string[];
}

export const CORE = 'packages/core/src';
export const GUARDS: readonly string[] = [`${CORE}/sales/money-guards.test.ts`];
export const ESCROW_RULES: readonly string[] = [`${CORE}/sales/escrow/escrow.rules.test.ts`];
export const LEDGER_RULES: readonly string[] = [`${CORE}/ledger/ledger.rules.test.ts`];
export const CHANGE_RULES: readonly string[] = [`${CORE}/payouts/payout-change.rules.test.ts`];
