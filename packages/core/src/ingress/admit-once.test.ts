import { beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionRequest } from '../kernel/ports/ingress.ts';
import type { AdmissionRecord } from './admission.rules.ts';
import { type AdmissionRecords, admitOnce, type SessionAnswer, type SessionObjects } from './admit-once.ts';
import { depthReading } from './depth.rules.ts';

const START = 1_000_000;
const request = (changes: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  requestId: 'r1',
  terms: { berthKey: 'ab', intentClass: 'GUEST', side: 'buy', vertical: null },
  isFresh: true,
  now: START,
  baseUrl: 'http://localhost/api',
  ...changes,
});

let kept: Map<string, AdmissionRecord>;
let asked: AdmissionRequest[];
let asksAfter: number;
let answered: number;
let sessionAnswer: SessionAnswer;
let end: Awaited<ReturnType<SessionObjects['endOf']>>;
let records: AdmissionRecords;
const sessions: SessionObjects = {
  admit: async (one) => {
    asked.push(one);
    return sessionAnswer;
  },
  endOf: async () => {
    asksAfter += 1;
    return end;
  },
};
const run = (changes?: Partial<AdmissionRequest>) =>
  admitOnce(request(changes), records, sessions, async () => {
    answered += 1;
    return { text: `answer ${answered}`, digest: 'sha256:0' };
  });

beforeEach(() => {
  kept = new Map();
  asked = [];
  asksAfter = 0;
  answered = 0;
  end = null;
  const depth = depthReading({ intentClass: 'GUEST', side: 'sell', vertical: null }, 0);
  sessionAnswer = { kind: 'admitted', sessionId: 's1', expiresAt: START + 120_000, depth };
  records = {
    find: (requestId) => kept.get(requestId) ?? null,
    put: (requestId, record) => void kept.set(requestId, record),
  };
});

describe('admitting once', () => {
  it('keeps the answer before it gives it', async () => {
    const answer = await run();
    expect(answer).toEqual({ kind: 'admitted', text: 'answer 1', digest: 'sha256:0', replayed: false });
    expect(kept.get('r1')).toMatchObject({ text: 'answer 1', keptUntil: START + 120_000 + 600_000 });
  });

  it('asks no session object for a replay or a conflict', async () => {
    await run();
    expect(await run()).toMatchObject({ text: 'answer 1', replayed: true });
    const other = { ...request().terms, side: 'sell' as const };
    expect(await run({ terms: other })).toEqual({ kind: 'conflict' });
    expect([asked.length, answered]).toEqual([1, 1]);
  });

  it.each<[SessionAnswer]>([[{ kind: 'unavailable' }], [{ kind: 'exhausted', retryAfterSeconds: 3 }]])(
    'keeps nothing of %j',
    async (answer) => {
      const good = sessionAnswer;
      sessionAnswer = answer;
      expect(await run()).toEqual(answer);
      expect(kept.size).toBe(0);
      sessionAnswer = good;
      expect(await run()).toMatchObject({ kind: 'admitted', replayed: false });
    },
  );

  it('gives no answer that it could not keep; the retry makes a new one', async () => {
    const { put } = records;
    records = {
      ...records,
      put: () => {
        throw new Error('the disk is full');
      },
    };
    await expect(run()).rejects.toThrow('the disk is full');
    records = { ...records, put };
    expect(await run()).toMatchObject({ kind: 'admitted', text: 'answer 2', replayed: false });
    expect(asked.map(({ requestId }) => requestId)).toEqual(['r1', 'r1']);
  });
});

describe('a record that seems to have had its time', () => {
  const later = START + 120_000 + 600_000;

  it('is not asked after earlier', async () => {
    await run();
    await run({ now: later - 1 });
    expect(asksAfter).toBe(0);
  });

  it('is prolonged if its session was kept alive', async () => {
    await run();
    end = later + 50_000;
    expect(await run({ now: later })).toMatchObject({ text: 'answer 1', replayed: true });
    expect(kept.get('r1')?.keptUntil).toBe(later + 650_000);
    await run({ now: later + 1 });
    expect(asksAfter).toBe(1);
  });

  it('holds for 10 minutes after a late end', async () => {
    await run();
    end = later - 600_000 + 1;
    expect(await run({ now: later })).toMatchObject({ replayed: true });
    expect(await run({ now: later + 1 })).toMatchObject({ text: 'answer 2', replayed: false });
  });

  it('is none if its session is forgotten', async () => {
    await run();
    expect(await run({ now: later })).toMatchObject({ text: 'answer 2', replayed: false });
  });

  it('is not guessed about while the session object is down', async () => {
    await run();
    end = 'unavailable';
    expect(await run({ now: later })).toEqual({ kind: 'unavailable' });
  });
});
