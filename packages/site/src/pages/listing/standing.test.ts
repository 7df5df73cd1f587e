import { expect, it } from 'vitest';
import { Standing } from './standing.tsx';

type Status = Parameters<typeof Standing>[0]['status'];
const shown = (status: Status, unreachableSince: string | null = null) =>
  String(Standing({ status, unreachableSince }) ?? '');

it('a listing of a seller who does not answer says so, and that only a delivery is paid', () => {
  expect(shown('active')).toBe('');
  const html = shown('active', '2026-06-01T12:00:00.000Z');
  for (const text of [
    'unreachable since',
    'datetime="2026-06-01T12:00:00.000Z"',
    'you pay only if it delivers',
  ])
    expect(html).toContain(text);
});

it('one that is not for sale says that alone', () => {
  expect(shown('inactive', '2026-06-01T12:00:00.000Z')).toContain('No longer for sale');
  expect(shown('pending', '2026-06-01T12:00:00.000Z')).not.toContain('unreachable');
});
