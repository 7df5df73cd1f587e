import type { Operations } from '@agent-marketplace/sdk';
import { count, countNoun, money, seconds, timeLeft } from '../../format/figures.ts';
import { dayBars } from '../parts/day-bars.ts';
import { element, keyFigures, section, table, timeOf } from '../parts/dom.ts';
import type { OperatorSession } from './operator-session.ts';
import { KIND_LABELS } from './overdue.ts';
import { stateBadge } from './state-badge.ts';

type Overview = Operations['getOverview']['output'];
type Due = Overview['due'][number];
type Health = Operations['getPlatformHealth']['output'];

const DAY_MS = 86_400_000;
const DAYS = 30;

/** What needs somebody, first what is wrong. */
export async function operatorOverview({ api }: OperatorSession): Promise<readonly HTMLElement[]> {
  const [overview, health] = await Promise.all([api.getOverview(), api.getPlatformHealth()]);
  return [
    waitingFigures(overview.waiting),
    alarms(overview, health),
    platformHealth(health),
    dueMoney(overview.due),
    volume(overview),
  ];
}

const STATUSES = {
  ok: stateBadge.bind(null, 'done', 'works'),
  late: stateBadge.bind(null, 'attention', 'late'),
  down: stateBadge.bind(null, 'failed', 'down'),
  off: stateBadge.bind(null, 'waiting', 'not used'),
} as const;
/** `0.4 s`, `20 days`. */
const ageOf = (value: number | null) =>
  value === null ? '–' : value < 90 ? seconds(value * 1000) : timeLeft(value * 1000).slice('in '.length);

/** What does not work, and behind it what does. */
function platformHealth({ failingJobs, parts }: Health): HTMLElement {
  const order = ['down', 'late', 'ok', 'off'];
  const sorted = parts.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  const isWrong = ({ status }: Health['parts'][number]) => status === 'down' || status === 'late';
  const wrong = sorted.filter(isWrong);
  const well = sorted.filter((part) => !isWrong(part));
  return section(
    'Health',
    ...failingJobs.map(({ job, since }) =>
      element(
        'p',
        { class: 'note stop' },
        `The job ${job.replaceAll('_', ' ')} has failed in each run since `,
        timeOf(since),
        '.',
      ),
    ),
    wrong.length === 0
      ? element('p', {}, stateBadge('done', 'All clear'), ' Every part of the platform works.')
      : partsTable('What does not work', wrong),
    element(
      'details',
      {},
      element('summary', {}, `${countNoun(well.length, 'part')} that work or are not used`),
      partsTable('What works', well),
    ),
  );
}

function partsTable(name: string, parts: Health['parts']): HTMLElement {
  const rows = parts.map(({ name: part, status, ageSeconds, lagSeconds, waiting }) => [
    part.replaceAll('_', ' '),
    STATUSES[status](),
    ageOf(ageSeconds),
    ageOf(lagSeconds),
    count(waiting),
  ]);
  return table(name, ['Part', 'State', '#Last done', '#Behind', '#Waiting'], rows);
}

const QUEUES = [
  ['reports', 'Reports to decide', '/operator/queues'],
  ['appeals', 'Appeals to decide', '/operator/queues?show=appeals'],
  ['disputes', 'Disputes to decide', '/operator/queues?show=disputes'],
  ['inquiries', 'Inquiries to answer', '/operator/inquiries'],
  ['overdue', 'Overdue payments', '/operator/money'],
] as const;

function waitingFigures(waiting: Overview['waiting']): HTMLElement {
  return keyFigures(
    QUEUES.map(([name, label, href]) => [element('a', { href }, label), count(waiting[name])]),
  );
}

const RAILS = { card: 'Card processor', usdc: 'USDC on chain' } as const;

/** What is wrong now, with where it is put right. */
function alarms({ due, overdue }: Overview, health: Health): HTMLElement {
  const rows = [
    ...health.alarms
      .filter(({ code }) => code === 'dispute_answered')
      .map(({ since }) => [
        stateBadge('attention', 'Dispute answered'),
        'A party has answered an operator: read it, and reply or decide.',
        timeOf(since),
        element('a', { href: '/operator/queues?show=disputes' }, 'Disputes'),
      ]),
    ...due
      .filter(({ isCovered }) => isCovered === false)
      .map(({ rail, dueCents, balanceCents }) => [
        stateBadge('failed', 'Balance too low'),
        `${RAILS[rail]}: ${money(dueCents)} fall due in 7 days, and ${money(balanceCents ?? 0)} are there.`,
        '–',
        element('a', { href: '/operator/money?show=reconciliation' }, 'Reconciliation'),
      ]),
    ...due
      .filter(({ balanceCents }) => balanceCents === null)
      .map(({ rail }) => [
        stateBadge('attention', 'Not reachable'),
        `${RAILS[rail]}: its balance could not be asked.`,
        '–',
        element('a', { href: '/docs/operate' }, 'What to do'),
      ]),
    ...overdue.map(({ amountCents, kind, since, ...one }) => [
      stateBadge('attention', KIND_LABELS[kind]),
      `${count(one.count)}${amountCents === null ? '' : `, ${money(amountCents)} in all`}`,
      timeOf(since),
      element('a', { href: '/operator/money' }, 'Overdue money'),
    ]),
  ];
  return section(
    'Alarms',
    rows.length === 0
      ? element(
          'p',
          {},
          stateBadge('done', 'All clear'),
          ' No money is overdue, and every balance covers what falls due.',
        )
      : table('Alarms', ['What', 'How much', 'Since', 'Where'], rows),
  );
}

function dueMoney(due: readonly Due[]): HTMLElement {
  const rows = due.map((one) => [
    `${RAILS[one.rail]}, ${one.currency.toUpperCase()}`,
    money(one.escrowCents),
    money(one.reservesCents),
    money(one.payoutsCents),
    money(one.refundsCents),
    element('strong', {}, money(one.dueCents)),
    one.balanceCents === null ? 'not known' : money(one.balanceCents),
    one.isCovered === null
      ? stateBadge('attention', 'not known')
      : one.isCovered
        ? stateBadge('done', 'covered')
        : stateBadge('failed', 'too low'),
  ]);
  const heads = ['By', '#Escrow', '#Reserve', '#Payouts', '#Refunds', '#Due', '#There', 'State'];
  return section(
    'Due in the next 7 days',
    rows.length === 0
      ? element('p', { class: 'soft' }, 'No rail is configured, so nothing falls due.')
      : table('Due in the next 7 days', heads, rows),
  );
}

/** Sales and their volume in two small charts, with their figures in a table. */
function volume({ days, generatedAt }: Overview): HTMLElement {
  const last = Date.parse(`${generatedAt.slice(0, 10)}T00:00:00.000Z`);
  const axis = Array.from({ length: DAYS }, (_, at) =>
    new Date(last - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
  const valuesOf = (read: (of: Overview['days'][number]) => number) =>
    axis.map((day) => {
      const found = days.find((one) => one.day === day);
      return { day, value: found ? read(found) : 0 };
    });
  const sum = (read: (of: Overview['days'][number]) => number) =>
    days.reduce((all, one) => all + read(one), 0);
  const [sales, gross, fees] = [
    sum((one) => one.sales),
    sum((one) => one.grossCents),
    sum((one) => one.feeCents),
  ];
  const chart = (
    sentence: string,
    read: (of: Overview['days'][number]) => number,
    format: (value: number) => string,
  ) => dayBars({ sentence, days: valuesOf(read), format });
  const figures = element(
    'details',
    {},
    element('summary', {}, 'The figures by day'),
    table(
      'Sales by day',
      ['Day', '#Sales', '#Volume', '#Fees'],
      days.toReversed().map((one) => [one.day, count(one.sales), money(one.grossCents), money(one.feeCents)]),
    ),
  );
  return section(
    'Volume',
    element(
      'div',
      { class: 'grid' },
      element(
        'div',
        { class: 'span-6' },
        chart(`${countNoun(sales, 'sale')} in ${DAYS} days`, (one) => one.sales, count),
      ),
      element(
        'div',
        { class: 'span-6' },
        chart(
          `${money(gross)} sold in ${DAYS} days, ${money(fees)} of it fees`,
          (one) => one.grossCents,
          money,
        ),
      ),
    ),
    days.length > 0 && figures,
  );
}
