import { describe, expect, test } from 'vitest';
import { challengeSteps } from './challenge-steps.ts';

const refusal = (code: string, problem: Record<string, unknown>) =>
  challengeSteps('webhook', { code, problem: { code, ...problem } } as Parameters<typeof challengeSteps>[1] &
    object);

describe('the steps of a challenge', () => {
  test('that passed tell what went live, if anything did', () => {
    expect(challengeSteps('webhook', 2).map(({ did }) => did)).toEqual([
      'A signed challenge with a new nonce was sent to this address',
      'The same nonce came back in time: the endpoint is verified',
      '2 listings went live',
    ]);
    expect(challengeSteps('polling', 0)).toHaveLength(2);
    expect(challengeSteps('polling', 0).every(({ isDone }) => isDone)).toBe(true);
  });

  test('that failed tell what came back, and how to mend it', () => {
    const steps = refusal('endpoint_not_verified', { title: 'No.', detail: 'It redirected.' });
    expect(steps.map(({ isDone }) => isDone)).toEqual([true, false]);
    expect(steps[1]?.trouble).toEqual(['It redirected.', expect.stringContaining('HTTP 200')]);
    expect(refusal('endpoint_timed_out', { detail: 'Late.' })[1]?.trouble?.[1]).toContain('15 seconds');
  });

  test('that were never taken say that nothing was sent, and why', () => {
    const errors = [{ path: 'callbackUrl', message: 'Must be https.' }, 'odd', null];
    expect(refusal('validation_failed', { title: 'Not valid.', errors })).toEqual([
      { did: 'Nothing was sent', isDone: false, trouble: ['Must be https.'] },
    ]);
    // The detail alone would be a remedy of nothing.
    expect(
      refusal('endpoint_taken', { title: 'It is another’s.', detail: 'Take another.' })[0]?.trouble,
    ).toEqual(['It is another’s.', 'Take another.']);
    expect(refusal('rate_limited', { title: 'Too\u202e often.' })[0]?.trouble).toEqual(['Too\ufffd often.']);
    expect(refusal('odd', {})[0]?.trouble).toEqual(['It was refused.']);
  });
});
