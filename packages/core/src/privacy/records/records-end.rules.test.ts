import { expect, it } from 'vitest';
import { endOfRecords } from './records-end.rules.ts';

const at = (time: string) => endOfRecords(Date.parse(time), 10);

it('is the end of the calendar year and the years after it', () => {
  expect(at('2036-12-31T23:59:59.999Z')).toEqual({ before: '2026-01-01T00:00:00.000Z', month: '2025-12' });
  expect(at('2037-01-01T00:00:00.000Z')).toEqual({ before: '2027-01-01T00:00:00.000Z', month: '2026-12' });
});
