import type { Operations } from '@agent-marketplace/sdk';
import { count, countNoun, instant } from '../../format/figures.ts';
import { dayBars } from '../parts/day-bars.ts';
import { element, emptyText, section, table } from '../parts/dom.ts';
import type { OperatorSession } from './operator-session.ts';

type Metrics = Operations['getMetrics']['output'];
type Bucket = Metrics['buckets'][number];

const PERIODS = { hour: '60 minutes', day: '24 hours', month: '30 days' } as const;

/** Requests and latencies of a period, drawn, and by operation and rail. */
export async function operatorMetrics(
  { api }: OperatorSession,
  period: Metrics['period'],
): Promise<readonly HTMLElement[]> {
  const metrics = await api.getMetrics({ period });
  if (!metrics.isConfigured) {
    return [
      element(
        'p',
        { class: 'note' },
        'This deployment reads no metrics: ',
        element('a', { href: '/docs/operate#metrics' }, 'how to switch them on'),
        '.',
      ),
    ];
  }
  return [charts(metrics), operations(metrics), rails(metrics)];
}

function charts({ buckets, period }: Metrics): HTMLElement {
  const sum = (read: (of: Bucket) => number) => buckets.reduce((all, one) => all + read(one), 0);
  const slowest = Math.max(0, ...buckets.map(({ p95Ms }) => p95Ms ?? 0));
  const labelOf = ({ at }: Bucket) => (period === 'month' ? at.slice(0, 10) : `${at.slice(11, 16)} UTC`);
  const chart = (sentence: string, read: (of: Bucket) => number, format: (value: number) => string) =>
    dayBars({
      sentence,
      days: buckets.map((one) => ({ day: labelOf(one), value: read(one) })),
      format,
    });
  const within = `in the last ${PERIODS[period]}`;
  const requests = `${countNoun(
    sum((one) => one.requests),
    'request',
  )} ${within}, ${count(sum((one) => one.failed))} of them failed and ${count(sum((one) => one.refused))} were refused`;
  return section(
    'Requests',
    element(
      'div',
      { class: 'grid' },
      element(
        'div',
        { class: 'span-6' },
        chart(requests, (one) => one.requests, count),
      ),
      element(
        'div',
        { class: 'span-6' },
        chart(
          `95% of requests took at most ${milliseconds(slowest)} ${within}, at the slowest time`,
          (one) => one.p95Ms ?? 0,
          milliseconds,
        ),
      ),
    ),
    element(
      'details',
      {},
      element('summary', {}, 'The figures by time'),
      table(
        'Requests by time',
        ['From', '#Requests', '#Failed', '#Refused', '#Half within', '#95% within'],
        buckets
          .filter((one) => one.requests > 0)
          .toReversed()
          .map((one) => [
            instant(one.at),
            count(one.requests),
            count(one.failed),
            count(one.refused),
            milliseconds(one.p50Ms),
            milliseconds(one.p95Ms),
          ]),
      ),
    ),
  );
}

function operations({ operations: all }: Metrics): HTMLElement {
  const heads = [
    'Operation',
    '#Requests',
    '#Failed',
    '#Refused',
    '#Half within',
    '#95% within',
    '#D1 waits',
    '#Round trips',
    '#Rows read',
    '#Rows written',
  ];
  const rows = all.map((one) => [
    element('code', {}, one.operation),
    count(one.requests),
    count(one.failed),
    count(one.refused),
    milliseconds(one.p50Ms),
    milliseconds(one.p95Ms),
    milliseconds(one.databaseMs),
    ...[one.roundTrips, one.rowsRead, one.rowsWritten].map((value) => value.toFixed(1)),
  ]);
  return section('By operation', rows.length === 0 ? emptyText() : table('By operation', heads, rows));
}

function rails({ rails: all }: Metrics): HTMLElement {
  const rows = all.map((one) => [one.rail, count(one.requests), count(one.failed), count(one.refused)]);
  return section(
    'By rail',
    rows.length === 0 ? emptyText() : table('By rail', ['Rail', '#Requests', '#Failed', '#Refused'], rows),
  );
}

const milliseconds = (value: number | null) => (value === null ? '–' : `${count(Math.round(value))} ms`);
