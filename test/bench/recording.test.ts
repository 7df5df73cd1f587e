import { expect, it } from 'vitest';
import { areAlike, type Recording, replayOf } from './recording.ts';

// What a purchase does again is what the product did: only what was new in it is made anew.

const SELLER = '0b7f3a52-6c1d-4e8a-9f20-5d3c8e1a7b94';
const READ = {
  kind: 'database',
  session: null,
  statements: [{ sql: 'SELECT 1 FROM listings WHERE id = ?', params: [SELLER] }],
} as const;

/** A purchase with this id at this second. */
function purchase(id: string, second: number, more: Partial<Recording> = {}): Recording {
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second, ms)).toISOString();
  const receipt = JSON.stringify({ purchaseId: id, signedAt: at(5) });
  const params = [id, SELLER, 7, null, at(0), receipt];
  return {
    status: 200,
    answer: '{}',
    steps: [
      READ,
      { kind: 'signature', bytes: 121 },
      { kind: 'database', session: 'first-primary', statements: [{ sql: 'INSERT', params }] },
      { kind: 'wake', agentId: SELLER, sequence: 3 },
      { kind: 'digest', bytes: 2000 },
      { kind: 'job', message: { kind: 'outbox' } },
    ],
    answeredAfter: 5,
    ...more,
  };
}

const one = purchase('0b7cb3e0-7382-493d-a0e6-5cfdded925d1', 1);
const other = purchase('0b7d3e00-0000-4000-8000-5cfdded925d1', 2);

it('makes anew what differs, the same wherever it stands, and leaves the rest', () => {
  const { fresh, steps } = replayOf(one, other);
  expect(fresh).toEqual([
    { kind: 'uuid', start: '0b7', length: 36 },
    { kind: 'time', offsetMs: 0 },
    { kind: 'time', offsetMs: 5 },
  ]);
  expect(steps[2]?.step).toMatchObject({
    statements: [
      {
        params: [
          ['', 0, ''],
          [SELLER],
          7,
          null,
          ['', 1, ''],
          ['{"purchaseId":"', 0, '","signedAt":"', 2, '"}'],
        ],
      },
    ],
  });
});

it('does behind the answer what comes after the last commit, but for what the answer needs', () => {
  const behind = replayOf(one, other).steps.map(({ isBehindAnswer }) => isBehindAnswer);
  expect(behind).toEqual([false, false, false, true, false, true]);
});

it('leaves out what is written behind a read, for many reads at once', () => {
  const commit = { kind: 'database', session: 'first-primary', statements: [] } as const;
  const read: Recording = { status: 200, answer: '{}', steps: [READ, commit], answeredAfter: 1 };
  expect(replayOf(read, read).steps.map(({ step }) => step.kind)).toEqual(['database']);
});

it.each([
  ['another statement', [...one.steps.slice(0, 2), READ, ...one.steps.slice(3)]],
  ['a step more', [...one.steps, READ]],
  ['a step less', one.steps.slice(1)],
])('takes no recording for another that has %s', (_what, steps) => {
  expect(areAlike(one, other)).toBe(true);
  expect(areAlike(one, { ...other, steps })).toBe(false);
});
