import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { scheduleAt } from './fee-schedule.rules.ts';
import { CHANGE_TERMS, FEE_SCHEDULES } from './fee-schedules.ts';
import { ROUNDING, scheduleView, viewSchedule } from './fees.schema.ts';

/** Clause: Versioning; the schedule history. */
export const getFees = defineOperation({
  name: 'getFees',
  summary: 'Every fee schedule ever announced, and the one in force.',
  area: 'Meta',
  auth: 'none',
  input: z.object({}),
  output: z.object({
    current: scheduleView,
    history: z
      .array(scheduleView)
      .describe('Oldest first; announced changes that are not in force yet come last.'),
    lockUntil: z.iso.date().describe('No change takes effect before.'),
    rateChangeNoticeDays: z.int(),
    rounding: z.string(),
  }),
  errors: [],
  http: { method: 'get', path: '/fees', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 60, staleIfErrorSeconds: 86_400 },
  async handle({ now }) {
    return {
      current: viewSchedule(scheduleAt(FEE_SCHEDULES, now)),
      history: FEE_SCHEDULES.map(viewSchedule),
      lockUntil: CHANGE_TERMS.lockUntil.slice(0, 10),
      rateChangeNoticeDays: CHANGE_TERMS.noticeDays,
      rounding: ROUNDING,
    };
  },
});
