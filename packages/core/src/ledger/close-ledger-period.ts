import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { isMatched } from './outside/compare-objects.ts';
import { periodErrors } from './periods.errors.ts';
import { monthField, periodView, viewPeriod } from './periods.schema.ts';
import { closePeriodRow, findPeriod, isClosedPeriod, readBalancesUpTo } from './periods.store.ts';
import { reconcile } from './reconcile.ts';

/** For the operator: a month whose books are done. */
export const closeLedgerPeriod = defineOperation({
  name: 'closeLedgerPeriod',
  summary: 'Close a month of the ledger: its balances are recorded, and it stays as it is.',
  description:
    'For the operator, after the month was reconciled with the processor and the chain. The ledger is compared with ' +
    'itself once more, and with what moved outside in the month, object by object; with findings it is closed only with a `note` that says ' +
    'why they may stand.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({
    month: monthField,
    note: linesOf(1000).optional().describe('Kept with the closed month.'),
  }),
  output: periodView,
  errors: Object.values(periodErrors),
  http: { method: 'post', path: '/admin/periods/{month}/close', status: 200 },
  rate: 'write',
  replay: 'stored',
  audit: ({ month, note }) => ({ subject: { type: 'ledger_period', id: month }, reason: note }),
  async handle({ ports, now, commit }, { month, note = null }) {
    const { market } = ports;
    const period = await findPeriod(market, month);
    if (!period) throw new Refusal(periodErrors.period_not_found);
    if (period.closedAt !== null) throw new Refusal(periodErrors.period_already_closed);
    const { findings } = await reconcile(market, { processor: null, chain: null }, now);
    const isReconciled = findings.length === 0 && (await isMatched(ports, now, month));
    if (!isReconciled && note === null) throw new Refusal(periodErrors.period_not_reconciled);
    const balances = await readBalancesUpTo(market, period.lastEntryId);
    const closedAt = isoTime(now);
    const closed = viewPeriod({ ...period, balances, closedAt, closingNote: note });
    try {
      await commit(closePeriodRow({ month, closedAt, note, balances }), closed);
    } catch (error) {
      if (isClosedPeriod(error)) throw new Refusal(periodErrors.period_already_closed);
      throw error;
    }
    return closed;
  },
});
