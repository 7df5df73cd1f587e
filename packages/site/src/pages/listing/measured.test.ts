import { expect, it } from 'vitest';
import { Measured } from './measured.tsx';

const MEASURED = {
  buyers30d: 12,
  declinedRate: 0.05,
  measuredAt: '2026-06-01T12:00:00.000Z',
  p50Ms: 108,
  p95Ms: 432,
  samples: 40,
  schemaValidRate: null,
  successRate: 0.912,
  uptime: 1,
};

const shown = (changes: Partial<typeof MEASURED> = {}) =>
  String(Measured({ measured: { ...MEASURED, ...changes }, quality: null }));

it('each figure is a text; a bar beside it is for the eyes alone', () => {
  const html = shown();
  for (const text of ['40, of 12 known buyers', '91.2%', '108 ms', '432 ms', '5%', '100%', 'Not known'])
    expect(html).toContain(text);
  const bars = html.match(/<svg[^>]*>/g) ?? [];
  expect(bars).toHaveLength(5);
  for (const bar of bars) expect(bar).toContain('aria-hidden="true"');
  expect(html.match(/<rect width="\d+"/g)).toEqual(
    [182, 50, 200, 10, 200].map((width) => `<rect width="${width}"`),
  );
  expect(html).not.toContain('<script');
});

it('what is not known is no bar and no zero', () => {
  const html = shown({ p50Ms: null as never, p95Ms: null as never, successRate: null as never });
  expect(html.match(/Not known/g)).toHaveLength(4);
  expect(html).not.toContain('0 ms');
});

const QUALITY = {
  days: [
    {
      attempts: 4,
      day: '2026-05-04',
      declined: 4,
      delivered: 0,
      deliveredShare: null,
      p50Ms: null,
      p95Ms: null,
    },
    {
      attempts: 8,
      day: '2026-05-09',
      declined: 0,
      delivered: 2,
      deliveredShare: 0.25,
      p50Ms: 108,
      p95Ms: 432,
    },
    { attempts: 8, day: '2026-06-01', declined: 0, delivered: 8, deliveredShare: 1, p50Ms: 216, p95Ms: 432 },
  ],
  from: '2026-05-03',
  listingId: '00000000-0000-4000-8000-000000000001',
  until: '2026-06-01',
};

it('each day is a bar at its place of 30, a sentence tells the chart, and a table has the figures', () => {
  const html = String(Measured({ measured: null, quality: QUALITY }));
  const charts = html.match(/<svg.*?<\/svg>/g) ?? [];
  expect(charts.map((chart) => /aria-label="([^"]*)"/.exec(chart)?.[1])).toEqual([
    'Deliveries each day from 2026-05-03 to 2026-06-01: 10 in all, at most 8 on one day.',
    'Latency each day from 2026-05-03 to 2026-06-01: half arrived within 108 ms to 216 ms, 19 of 20 within 432 ms.',
    'Success each day from 2026-05-03 to 2026-06-01: 25% to 100% of the attempts were delivered.',
  ]);
  for (const chart of charts) expect(chart).toContain('role="img"');
  const bars = (chart = '') =>
    [...chart.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="[\d.]+" height="([\d.]+)"/g)].map(
      ([, x, height]) => [Math.floor(Number(x) / (640 / 30)), Number(height)],
    );
  expect(bars(charts[0])).toEqual([
    [1, 2],
    [6, 30],
    [29, 120],
  ]);
  expect(bars(charts[1]), 'what is longer stands behind').toEqual([
    [6, 120],
    [29, 120],
    [6, 30],
    [29, 60],
  ]);
  expect(bars(charts[2])).toEqual([
    [6, 30],
    [29, 120],
  ]);
  const rows = [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row = '']) =>
    row
      .replace(/<[^>]+>/g, ' ')
      .replace(/ +/g, ' ')
      .trim(),
  );
  expect(rows).toEqual([
    '2026-06-01 8 8 0 100% 216 ms 432 ms',
    '2026-05-09 8 2 0 25% 108 ms 432 ms',
    '2026-05-04 4 0 4 – – –',
  ]);
});

it('too few attempts are a sentence, and so is no answer about the days', () => {
  for (const quality of [null, { ...QUALITY, days: [] }]) {
    const html = String(Measured({ measured: null, quality }));
    expect(html).toContain('too few to measure');
    expect(html).not.toContain('<svg');
  }
});
