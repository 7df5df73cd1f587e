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
  String(Measured({ measured: { ...MEASURED, ...changes } }));

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
