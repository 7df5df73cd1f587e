import type { Settings } from '../../kernel/operation/operation.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { endEntries } from '../../ledger/index.ts';
import { ENDING_KINDS, endAccounts, endKind, endOld, inOneRun } from './end-records.store.ts';
import { endOfRecords } from './records-end.rules.ts';

/** Of each kind in one run: the rest follows a minute later. */
const AT_ONCE = 200;

/**
 * Ends records of money after the years that the operator set. One kind after the other, as what is later refers to what
 * is before: the ledger, what banks took, purchases and the rest. Each step is one transaction, and tells whether there was more to look at:
 * then the next run goes on there.
 */
export async function endRecords(
  { market, clock }: Pick<Ports, 'market' | 'clock'>,
  { recordsYears }: Pick<Settings, 'recordsYears'>,
): Promise<void> {
  const { before, month } = endOfRecords(clock.now(), recordsYears);
  if (await inOneRun(market, endEntries(month, AT_ONCE))) return;
  for (const kind of ENDING_KINDS) {
    if (await inOneRun(market, endKind(kind, before, AT_ONCE))) return;
  }
  await inOneRun(market, [...endOld(before, AT_ONCE), ...endAccounts(before, clock.now(), AT_ONCE)]);
}
