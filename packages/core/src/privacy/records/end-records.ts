import type { Settings } from '../../kernel/operation/operation.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { HOUR_MS, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { endEntries, findKeepsLedger } from '../../ledger/index.ts';
import { beginAgain, ENDINGS_IN_ORDER, endAccounts, endKind, endOld, inOneRun } from './end-records.store.ts';
import { endOfRecords } from './records-end.rules.ts';

/** Of each kind in one run: the rest follows a minute later. */
const AT_ONCE = 200;

/**
 * Ends records of money after the years that the operator set. One kind after the other, as what is later refers to what
 * is before: the ledger, what banks took, purchases and the rest. Each step is one transaction, and tells whether there was more to look at:
 * then the next run goes on there. Once an hour, what is left is looked at again: something may have ended since.
 */
export async function endRecords(
  { market, clock, log }: Pick<Ports, 'market' | 'clock' | 'log'>,
  { recordsYears }: Pick<Settings, 'recordsYears'>,
): Promise<void> {
  const now = clock.now();
  const { before, month } = endOfRecords(now, recordsYears);
  if (now % HOUR_MS < MINUTE_MS) await tellWhatKeeps({ market, log }, month);
  if (await inOneRun(market, endEntries(month, AT_ONCE))) return;
  for (const kind of ENDINGS_IN_ORDER) {
    if (await inOneRun(market, endKind(kind, before, AT_ONCE))) return;
  }
  await inOneRun(market, [
    ...endOld(before, AT_ONCE),
    ...endAccounts(before, now, AT_ONCE),
    ...beginAgain(isoTime(now).slice(0, 13)),
  ]);
}

/** Nothing after it ends until a person closes the month, or brings the sale to its end. */
async function tellWhatKeeps({ market, log }: Pick<Ports, 'market' | 'log'>, last: string): Promise<void> {
  const { month, subject } = await findKeepsLedger(market, last);
  if (month !== null) log.error('records_kept', { month });
  if (subject !== null) log.error('records_kept', { subject });
}
