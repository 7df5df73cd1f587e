import { csvOf } from '../kernel/csv.ts';
import { dollarsOf } from '../kernel/dollars.ts';
import type { PostedEntry } from './postings-file.store.ts';

const COLUMNS = [
  'entry_id',
  'posted_at',
  'posting_id',
  'kind',
  'reference',
  'account',
  'amount_cents',
  'currency',
];

/** One line for each entry. The columns stay in this order; further ones would follow them. */
export function postingsCsv(entries: readonly PostedEntry[]): string {
  return csvOf(
    COLUMNS,
    entries.map((entry) => [
      entry.entryId,
      entry.createdAt,
      entry.postingId,
      entry.kind,
      entry.reference,
      entry.account,
      entry.amountCents,
      'USD',
    ]),
  );
}

/** Of the ledger's kinds of account: what an accountant calls them. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  wallet: 'Liabilities:Wallets',
  refund_credit: 'Liabilities:RefundCredits',
  reserved: 'Liabilities:Reserved',
  escrow: 'Liabilities:Sellers',
  fees: 'Income:Fees',
  card_clearing: 'Assets:Card',
  usdc_clearing: 'Assets:Usdc',
  payouts: 'Assets:CardPayouts',
  payouts_usdc: 'Assets:UsdcPayouts',
  chargebacks: 'Expenses:Chargebacks',
};

/**
 * The same for beancount, one transaction for each posting. There, what is held is positive and what is owed negative:
 * the ledger's signs the other way round.
 */
export function postingsBeancount(entries: readonly PostedEntry[]): string {
  const transactions = [...Map.groupBy(entries, ({ postingId }) => postingId)].map(([postingId, legs]) => {
    const [first] = legs;
    return [
      `${first?.createdAt.slice(0, 10)} * "${first?.kind}" "${first?.reference}"`,
      `  posting: "${postingId}"`,
      `  at: "${first?.createdAt}"`,
      ...legs.map(
        ({ account, amountCents }) => `  ${beancountAccount(account)}  ${dollarsOf(-amountCents)} USD`,
      ),
    ].join('\n');
  });
  const head = ['option "operating_currency" "USD"', 'plugin "beancount.plugins.auto_accounts"'];
  const end = `; last entry: ${entries.at(-1)?.entryId ?? 'none'}`;
  return `${[head.join('\n'), ...transactions, end].join('\n\n')}\n`;
}

function beancountAccount(account: string): string {
  const [kind = '', owner] = account.split(':');
  const base = ACCOUNTS[kind] ?? `Equity:Other:${wordOf(kind)}`;
  return owner === undefined ? base : `${base}:${wordOf(owner)}`;
}

/** A part of an account's name begins with a capital or a digit, and has letters, digits and dashes. */
function wordOf(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9-]/g, '-');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}
