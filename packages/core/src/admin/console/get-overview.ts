import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { balancesOf, listUpcoming, upcomingView } from '../../ledger/index.ts';
import { OVERDUE_KINDS, type OverdueRow } from '../overdue/overdue.rules.ts';
import { readSalesByDay } from './overview.store.ts';
import { readWaiting, waitingView } from './waiting.ts';

const DAYS = 30;

/** For the operator: what waits for a person, what falls due, and how much is sold. */
export const getOverview = defineOperation({
  name: 'getOverview',
  summary: 'What waits for an operator, what falls due in 7 days, and the sales of the last 30 days.',
  description:
    'For the operator. Of overdue money at most 500 of each source are counted. A balance that cannot be asked for now is null.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({}),
  output: z.object({
    days: z
      .array(
        z.object({
          day: z.iso.date(),
          feeCents: z.int(),
          grossCents: z.int(),
          sales: z.int().describe('Settled ones, free ones included.'),
        }),
      )
      .describe('In UTC, the oldest first, without days on which nothing was sold.'),
    due: z.array(upcomingView).describe('By rail and currency.'),
    generatedAt: z.iso.datetime(),
    overdue: z
      .array(
        z.object({
          amountCents: z.int().nullable().describe('Null: of no payment.'),
          count: z.int(),
          kind: z.enum(OVERDUE_KINDS),
          since: z.iso.datetime().describe('Of the one that waits longest.'),
        }),
      )
      .describe('By kind, the longest waiting first; GET /admin/overdue lists them.'),
    waiting: waitingView,
  }),
  errors: [],
  http: { method: 'get', path: '/admin/overview', status: 200 },
  rate: 'read',
  async handle({ ports, now }) {
    const { market, cards, chain } = ports;
    const since = isoTime(now - (DAYS - 1) * DAY_MS);
    // What is outside may be down: that is when an operator looks here.
    const [balance, units] = await Promise.all([
      cards?.getBalance().catch(() => null),
      chain?.balance().catch(() => null),
    ]);
    const [due, { waiting, overdue }, days] = await Promise.all([
      listUpcoming(ports, balancesOf(balance, units), null, now),
      readWaiting(market, now),
      readSalesByDay(market, `${since.slice(0, 10)}T00:00:00.000Z`),
    ]);
    return {
      days: days.map(({ day, feeCents, grossCents, sales }) => ({ day, feeCents, grossCents, sales })),
      due,
      generatedAt: isoTime(now),
      overdue: sumByKind(overdue),
      waiting,
    };
  },
});

function sumByKind(rows: readonly OverdueRow[]) {
  return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const amounts = ofKind.flatMap(({ amountCents }) => (amountCents === null ? [] : [amountCents]));
    return {
      amountCents: amounts.length === 0 ? null : amounts.reduce((sum, cents) => sum + cents, 0),
      count: ofKind.length,
      kind,
      since: ofKind[0]?.since ?? '',
    };
  });
}
