import { csvOf } from '../kernel/csv.ts';
import { dollarsOf } from '../kernel/dollars.ts';
import { findAccountKind, kindOfAccount } from './account.rules.ts';
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
  'about',
  'reason',
  'operator',
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
      isGas(entry.account) ? 'GWEI' : 'USD',
      entry.about,
      entry.reason,
      entry.operator,
    ]),
  );
}

/** Gas is paid in the network's own currency. */
const isGas = (account: string): boolean => findAccountKind(account)?.currency === 'gwei';

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
      ...(['about', 'reason', 'operator'] as const).flatMap((field) => {
        const value = first?.[field] ?? null;
        return value === null ? [] : `  ${field}: "${escaped(value)}"`;
      }),
      ...legs.map(
        ({ account, amountCents }) =>
          `  ${beancountAccount(account)}  ${beancountAmount(account, -amountCents)}`,
      ),
    ].join('\n');
  });
  const head = ['option "operating_currency" "USD"', 'plugin "beancount.plugins.auto_accounts"'];
  const end = `; last entry: ${entries.at(-1)?.entryId ?? 'none'}`;
  return `${[head.join('\n'), ...transactions, end].join('\n\n')}\n`;
}

const GWEI = 1_000_000_000;

function beancountAmount(account: string, amount: number): string {
  if (!isGas(account)) return `${dollarsOf(amount)} USD`;
  const [whole, part] = [Math.trunc(Math.abs(amount) / GWEI), Math.abs(amount) % GWEI];
  return `${amount < 0 ? '-' : ''}${whole}.${String(part).padStart(9, '0')} ETH`;
}

function beancountAccount(account: string): string {
  const owner = account.split(':')[1];
  const base = findAccountKind(account)?.name ?? `Equity:Other:${wordOf(kindOfAccount(account))}`;
  return owner === undefined ? base : `${base}:${wordOf(owner)}`;
}

const escaped = (text: string): string => text.replaceAll(/[\\"]/g, '\\$&');

/** A part of an account's name begins with a capital or a digit, and has letters, digits and dashes. */
function wordOf(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9-]/g, '-');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}
