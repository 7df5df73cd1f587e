import { verifyEd25519 } from '@agent-marketplace/protocol/crypto/ed25519.ts';
import { fromHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { BASE_URL, NOW } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { createStubDoor } from '../testing/stub-door.ts';
import { Berth } from './berth.ts';

const TERMS = { intentClass: 'COMMERCE', side: 'sell' } as const;
const DOWN = { status: 503, body: { type: 'REFUSE', code: 'COMPONENT_UNAVAILABLE', retryAfterSeconds: 2 } };
const GONE = { status: 404, body: { code: 'ingress_session_not_found' } };

let door: Awaited<ReturnType<typeof createStubDoor>>;
let timers: { durationMs: number; callback: () => void }[];
let troubles: unknown[];
let berth: Berth;

beforeEach(async () => {
  door = await createStubDoor();
  timers = [];
  troubles = [];
  berth = await Berth.create({
    baseUrl: `${BASE_URL}/`,
    fetch: door.fetch,
    now: () => NOW,
    after(durationMs, callback) {
      const timer = { durationMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    onTrouble: (error) => troubles.push(error),
  });
});

/** Lets the only timer ring, and what it starts run to its end. */
/** Lets the next timer go off, and waits until what it started has set another. */
async function ring(): Promise<number> {
  const durationMs = ringLast();
  await untilTimerIsSet();
  return durationMs;
}

/** The same where nothing is left to be timed afterwards. */
function ringLast(): number {
  const timer = timers.shift();
  timer?.callback();
  return timer?.durationMs ?? -1;
}

/** Signing and verifying take as long as the machine's other work lets them. */
function untilTimerIsSet(): Promise<void> {
  return vi.waitFor(() => expect(timers).not.toHaveLength(0), { timeout: 20_000, interval: 1 });
}

describe('admission', () => {
  clause('ingress.sig');
  it('is asked for with a signature of the berth key', async () => {
    const admission = await berth.admit({ ...TERMS, vertical: 'loans' });
    expect(admission).toMatchObject({ sessionId: 'session-1', receipt: { type: 'ADMIT' } });
    const { sig, ...signed } = (door.requests[0]?.body ?? {}) as Record<string, string>;
    expect(signed).toMatchObject({
      ...TERMS,
      vertical: 'loans',
      ts: NOW / 1000,
      berthKey: berth.key.berthKey,
    });
    const text = JSON.stringify(Object.fromEntries(Object.entries(signed).sort()));
    const [key, signature] = [fromHex(berth.key.berthKey), fromHex(sig ?? '')];
    expect(await verifyEd25519(key ?? new Uint8Array(), utf8(text), signature ?? new Uint8Array())).toBe(
      true,
    );
  });

  it('comes back as the same berth with its secret', async () => {
    const { secret, berthKey } = berth.key;
    expect((await Berth.create({ baseUrl: BASE_URL, secret })).key.berthKey).toBe(berthKey);
    await expect(Berth.create({ baseUrl: BASE_URL, secret: 'ab' })).rejects.toThrow(TypeError);
  });

  it('is tried again with the same requestId while the door or the way is down', async () => {
    door.replies.push(DOWN, 'network_error');
    const admitted = berth.admit(TERMS);
    await untilTimerIsSet();
    expect(await ring()).toBe(2000);
    expect(ringLast()).toBe(1000);
    expect((await admitted).sessionId).toBe('session-1');
    expect(new Set(door.requests.map(({ body }) => body.requestId)).size).toBe(1);
    expect(door.requests).toHaveLength(3);
  });

  it('says by which code it was refused, and is not tried again', async () => {
    door.replies.push({
      status: 429,
      body: { code: 'CAPACITY_EXHAUSTED', retryAfterSeconds: 9, detail: 'Full.' },
    });
    const refused = await berth.admit(TERMS).catch((error) => error);
    expect(refused).toMatchObject({
      code: 'CAPACITY_EXHAUSTED',
      status: 429,
      retryAfterSeconds: 9,
      retryable: true,
    });
    expect([door.requests.length, timers.length, berth.admission]).toEqual([1, 0, null]);
  });

  it('is not believed without a good receipt of this very request', async () => {
    const foreign = await door.admit({ berthKey: berth.key.berthKey, requestId: 'another' });
    const forged = { ...(await door.admit({})), side: 'buy' };
    for (const body of [foreign, forged, {}]) {
      door.replies.push({ status: 200, body });
      await expect(berth.admit(TERMS)).rejects.toMatchObject({ code: 'untrusted_receipt' });
    }
    expect(berth.admission).toBeNull();
  });
});

describe('staying', () => {
  it('beats every 40 s until it leaves', async () => {
    await berth.enter(TERMS);
    for (let n = 0; n < 3; n++) expect(await ring()).toBe(40_000);
    const beats = door.requests.filter(({ path }) => path === '/ingress/heartbeat');
    expect(beats.map(({ body }) => body)).toEqual(Array(3).fill({ sessionId: 'session-1' }));
    expect(berth.admission?.expiresAt).toBe(new Date(NOW + 240_000).toISOString());
    berth.leave();
    expect(timers).toEqual([]);
  });

  it('enters anew with a fresh requestId once its session has ended', async () => {
    await berth.enter(TERMS);
    door.replies.push(GONE);
    await ring();
    const admissions = door.requests.filter(({ path }) => path === '/ingress/admit');
    expect(new Set(admissions.map(({ body }) => body.requestId)).size).toBe(2);
    expect(admissions.map(({ body }) => body.intentClass)).toEqual(['COMMERCE', 'COMMERCE']);
    expect(berth.admission?.sessionId).toBe('session-2');
    expect([timers.length, troubles.length]).toEqual([1, 0]);
  });

  it('tells of trouble and goes on beating', async () => {
    await berth.enter(TERMS);
    const full = { status: 429, body: { code: 'CAPACITY_EXHAUSTED' } };
    door.replies.push(GONE, full);
    await ring();
    expect(troubles).toMatchObject([{ code: 'CAPACITY_EXHAUSTED' }]);
    await ring();
    expect(berth.admission?.sessionId).toBe('session-2');
  });

  it('keeps one heartbeat only, however often it enters', async () => {
    await berth.enter(TERMS);
    await berth.enter({ ...TERMS, side: 'buy' });
    expect(timers).toHaveLength(1);
  });
});
