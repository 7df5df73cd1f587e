/** An account without its owner: `wallet` of `wallet:<agent>`. */
export const kindOfAccount = (account: string): string => account.split(':', 1)[0] ?? account;

interface AccountKind {
  /** What an accountant calls it, in beancount's words. */
  readonly name: string;
  /** Where its money moves; null: on either. */
  readonly rail: 'card' | 'usdc' | null;
  /** Cents of US dollars where nothing is said. */
  readonly currency?: 'gwei';
  /** Operators may adjust it: no sale or wallet depends on it. */
  readonly isPlatforms?: true;
}

/** The ledger's accounts. */
const ACCOUNT_KINDS = {
  wallet: { name: 'Liabilities:Wallets', rail: null },
  refund_credit: { name: 'Liabilities:RefundCredits', rail: null },
  reserved: { name: 'Liabilities:Reserved', rail: null },
  escrow: { name: 'Liabilities:Sellers', rail: null },
  fees: { name: 'Income:Fees', rail: null },
  card_clearing: { name: 'Assets:Card', rail: 'card', isPlatforms: true },
  usdc_clearing: { name: 'Assets:Usdc', rail: 'usdc', isPlatforms: true },
  payouts: { name: 'Assets:CardPayouts', rail: 'card' },
  payouts_usdc: { name: 'Assets:UsdcPayouts', rail: 'usdc' },
  chargebacks: { name: 'Expenses:Chargebacks', rail: 'card', isPlatforms: true },
  processor_fees: { name: 'Expenses:ProcessorFees', rail: 'card', isPlatforms: true },
  dispute_fees: { name: 'Expenses:DisputeFees', rail: 'card', isPlatforms: true },
  transfer_reversals: { name: 'Liabilities:TransferReversals', rail: 'card', isPlatforms: true },
  unexplained: { name: 'Equity:Unexplained', rail: 'card', isPlatforms: true },
  bank: { name: 'Assets:Bank', rail: null, isPlatforms: true },
  adjustments: { name: 'Equity:Adjustments', rail: null, isPlatforms: true },
  payout_gas: { name: 'Income:PayoutGas', rail: 'usdc' },
  gas: { name: 'Expenses:Gas', rail: 'usdc', currency: 'gwei' },
  relayer_gas: { name: 'Assets:RelayerGas', rail: 'usdc', currency: 'gwei' },
} as const satisfies Readonly<Record<string, AccountKind>>;

export const KINDS_OF_ACCOUNTS: readonly string[] = Object.keys(ACCOUNT_KINDS);

type Named = keyof typeof ACCOUNT_KINDS;

/** Null: nobody named it yet. */
export function findAccountKind(account: string): AccountKind | null {
  const kinds: Readonly<Record<string, AccountKind>> = ACCOUNT_KINDS;
  const kind = kindOfAccount(account);
  return Object.hasOwn(kinds, kind) ? (kinds[kind] ?? null) : null;
}

/** Those that operators may adjust. */
export const PLATFORM_ACCOUNTS = Object.keys(ACCOUNT_KINDS).filter(
  (kind): kind is Named => findAccountKind(kind)?.isPlatforms === true,
);
