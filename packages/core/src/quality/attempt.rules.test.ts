import { expect, test } from 'vitest';
import { failedReply, failedStatus } from '../delivery/delivery.rules.ts';
import { undeliveredAttempt } from './attempt.rules.ts';

test.each([
  [400, 'declined'],
  [402, 'declined'],
  [409, 'declined'],
  [410, 'declined'],
  [422, 'declined'],
  // Any other query would have been refused as well.
  [401, 'failed'],
  [403, 'failed'],
  [405, 'failed'],
  [407, 'failed'],
  [408, 'failed'],
  [415, 'failed'],
  [429, 'failed'],
  [500, 'failed'],
])('a seller who answers HTTP %i %s', (status, result) => {
  expect(undeliveredAttempt(failedStatus(status), '2026-06-01T00:00:00.000Z')?.result).toBe(result);
  expect(failedReply({ status, retryAfter: '60' })).toMatchObject({ kind: 'failed', retryAfter: '60' });
});
