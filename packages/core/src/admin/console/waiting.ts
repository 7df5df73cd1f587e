import * as z from 'zod';
import { listInquiryRows } from '../../inquiries/index.ts';
import type { Database } from '../../kernel/ports/database.ts';
import { isoTime } from '../../kernel/time.ts';
import { listOpenDisputes } from '../../sales/index.ts';
import { findOverdue } from '../overdue/find-overdue.ts';
import type { OverdueRow } from '../overdue/overdue.rules.ts';
import { countCases } from './overview.store.ts';

/** How many things wait for an operator, by queue. */
export const waitingView = z
  .object({
    appeals: z.int(),
    disputes: z.int(),
    inquiries: z.int(),
    overdue: z.int(),
    reports: z.int(),
  })
  .meta({ id: 'WaitingCounts' });

/** Of each source of overdue money: a count beyond that says "many" to whoever reads it. */
const MOST_OVERDUE = 500;
const TOTAL_ONLY = { limit: 1, offset: 0 };

/** The counts, and what is overdue. */
export async function readWaiting(
  market: Database,
  now: number,
): Promise<{ readonly waiting: z.infer<typeof waitingView>; readonly overdue: readonly OverdueRow[] }> {
  const [cases, disputes, inquiries, overdue] = await Promise.all([
    countCases(market),
    listOpenDisputes(market, TOTAL_ONLY),
    listInquiryRows(market, 'open', isoTime(now), TOTAL_ONLY),
    findOverdue(market, now, MOST_OVERDUE),
  ]);
  const waiting = {
    appeals: cases.appeals,
    disputes: disputes.total,
    inquiries: inquiries.total,
    overdue: overdue.length,
    reports: cases.reports,
  };
  return { waiting, overdue };
}
