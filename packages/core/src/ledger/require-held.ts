import { Refusal } from '../kernel/errors.ts';
import type { Database } from '../kernel/ports/database.ts';
import { findEndedMonth } from './ended-entries.store.ts';
import type { Month } from './period.rules.ts';
import { periodErrors } from './periods.errors.ts';

export const { records_ended: recordsEnded } = periodErrors;

/** Refuses what asks for a month whose records ended. */
export async function requireHeld(market: Database, month: Month): Promise<void> {
  const ended = await findEndedMonth(market);
  if (ended !== null && month <= ended) throw new Refusal(recordsEnded);
}
