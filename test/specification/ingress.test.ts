import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDoor, type TestDoor } from '../ingress/test-door.ts';
import { type Client, createClient, type Json } from './client.ts';

// The ingress door, as somebody enters it who has read "Agent ingress" of the specification and nothing else.

let door: TestDoor;
let client: Client;
let count = 0;

beforeAll(async () => {
  door = await createTestDoor();
  client = createClient(async (method, path, body, headers) => {
    const reply = await (method === 'GET' ? door.get(path, headers) : door.post(path, body, headers));
    return new Response(reply.text, { status: reply.status, headers: reply.headers });
  });
});
beforeEach(() => door.empty());

interface Berth {
  readonly berthKey: string;
  readonly privateKey: KeyObject;
}

function newBerth(): Berth {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { berthKey: Buffer.from(x, 'base64url').toString('hex'), privateKey };
}

/** sig: hex, over the key-sorted whitespace-free JSON of {berthKey, intentClass, requestId, side, ts}. */
function signed({ berthKey, privateKey }: Berth, changes: Json = {}): Json {
  const { intentClass, requestId, side, ts } = {
    intentClass: 'COMMERCE',
    requestId: `a-request-${count++}`,
    side: 'buy',
    ts: Math.floor(door.clock.now() / 1000),
    ...changes,
  };
  const text = JSON.stringify({ berthKey, intentClass, requestId, side, ts });
  const sig = sign(null, Buffer.from(text), privateKey).toString('hex');
  return { berthKey, intentClass, side, requestId, ts, sig };
}

/** The door's answers carry provenance signed with a key of the marketplace, which is served elsewhere. */
const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  client.raw(method, path, body, headers);
const admit = (body: unknown, headers?: Record<string, string>) =>
  ask('POST', '/ingress/admit', body, headers);

describe('GET /ingress/occupancy', () => {
  it('needs no class: it counts over all, and says so', async () => {
    await admit(signed(newBerth(), { intentClass: 'PILOT' }));
    await admit(signed(newBerth(), { intentClass: 'GUEST', side: 'sell' }));
    const { status, body } = await ask('GET', '/ingress/occupancy');
    expect([status, body.class, body.live_counterparties, body.counted]).toEqual([200, null, 2, 'both']);
    expect([body.classification, body.founding_open]).toEqual(['SPARSE', false]);
  });

  it('takes a class, a vertical, and what it does not know', async () => {
    await admit(signed(newBerth(), { intentClass: 'PILOT' }));
    const one = await ask('GET', '/ingress/occupancy?class=PILOT');
    expect([one.body.class, one.body.live_counterparties]).toEqual(['PILOT', 1]);
    const unknown = await ask('GET', '/ingress/occupancy?class=NOBODY&x=1');
    expect([unknown.status, unknown.body.class, typeof unknown.body.notice]).toEqual([200, null, 'string']);
  });
});

describe('POST /ingress/admit', () => {
  it('binds class, depth and schedule; depth counts the other side and says so', async () => {
    await admit(signed(newBerth(), { side: 'sell' }));
    const { status, body } = await admit(signed(newBerth(), { side: 'buy' }));
    expect([status, body.type, body.intentClass]).toEqual([200, 'ADMIT', 'COMMERCE']);
    expect([body.depth.live_counterparties, body.depth.counted]).toEqual([1, 'sell']);
  });

  it('a repeat is answered to the byte, however old it is', async () => {
    const request = signed(newBerth());
    const first = await admit(request);
    door.clock.advance(400_000);
    const repeat = await admit(request);
    expect([repeat.status, repeat.text]).toEqual([200, first.text]);
  });

  it('a ts 300 seconds away is fresh, and 301 is not', async () => {
    door.clock.set(Math.ceil(door.clock.now() / 1000) * 1000 + 900);
    const now = Math.floor(door.clock.now() / 1000);
    for (const [ts, status] of [
      [now - 300, 200],
      [now + 300, 200],
      [now - 301, 403],
      [now + 301, 403],
    ]) {
      const { status: actual, body } = await admit(signed(newBerth(), { ts }));
      expect([actual, body.code]).toEqual([status, status === 403 ? 'STALE_TS' : undefined]);
    }
  });

  it.each([
    ['an empty body', {}],
    ['null', { intentClass: null }],
    ['an empty text', { intentClass: '' }],
    ['a class of no vocabulary', { intentClass: 'NOBODY' }],
  ])('%s is MISSING_CLASS, whatever else is wrong', async (_, body) => {
    for (const rest of [{}, { ...signed(newBerth()), ...body }, { sig: 'x' }]) {
      const { intentClass: _class, ...without } = rest as Json;
      const { status, body: receipt } = await admit({ ...without, ...body });
      expect([status, receipt.type, receipt.code]).toEqual([403, 'REFUSE', 'MISSING_CLASS']);
    }
  });

  it('the header may carry the class where the body has null', async () => {
    const request = { ...signed(newBerth()), intentClass: null };
    const { status, text } = await admit(request, { 'x-mkt-class': 'COMMERCE' });
    expect(status, text).toBe(200);
  });

  it('members that are not part of the terms are ignored', async () => {
    const { status, text } = await admit({ ...signed(newBerth()), note: 'hello', api_key: 'x' });
    expect(status, text).toBe(200);
  });

  it('MALFORMED has its reasons as a list', async () => {
    const { status, body } = await admit({ ...signed(newBerth()), side: 'both', ts: 'now' });
    expect([status, body.code]).toEqual([403, 'MALFORMED']);
    expect(body.reasons.map(({ path }: Json) => path).sort()).toEqual(['side', 'ts']);
  });
});
