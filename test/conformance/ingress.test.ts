import { createHash, createPublicKey } from 'node:crypto';
import { checkSignature } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { TEST_INGRESS_SIGNING_KEY } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newBerth } from '../ingress/berth.ts';
import { createTestDoor, type DoorReply, doorBindings, type TestDoor } from '../ingress/test-door.ts';
import { clause } from './clause.ts';

// Parts "Ingress records", "Ingress classification by live depth", "Ingress session", "Agent ingress" and
// the ingress lines of "Errors" and "Limits" of the specification. Invariants 16, 17 and 20.

let door: TestDoor;
beforeAll(async () => {
  door = await createTestDoor();
});
beforeEach(() => door.empty());

const DAY = 86_400_000;
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The digest and the signature of a receipt, as GET /ingress/keys says to check them. */
async function checkReceipt(receipt: Record<string, unknown>): Promise<void> {
  const { digest = '', signature = '', ...signed } = receipt as Record<string, string>;
  const sorted = JSON.stringify(signed, (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  expect(digest).toBe(sha256(sorted));
  const { keyId = '', issuedAt = '' } = signed;
  await checkSignature({ keyId, signedAt: issuedAt, digest, signature }, TEST_INGRESS_SIGNING_KEY);
}

async function expectRefuse(reply: DoorReply, status: number, code: string): Promise<void> {
  expect([reply.status, reply.body.type, reply.body.code], reply.text).toEqual([status, 'REFUSE', code]);
  expect(reply.headers.get('content-type')).toBe('application/json');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  await checkReceipt(reply.body);
}

describe('GET /ingress', () => {
  clause('ingress.index');
  it('is the index of the door', async () => {
    const { status, body } = await door.get('/ingress');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'docs',
      'endpoints',
      'listings_integration',
      'service',
      'status',
      'summary',
    ]);
    expect(body.endpoints).toMatchObject({
      admit: 'POST /ingress/admit',
      heartbeat: 'POST /ingress/heartbeat',
      occupancy: 'GET /ingress/occupancy',
    });
    expect(body).toMatchObject({ status: 'open', service: expect.stringMatching(/./) });
    for (const endpoint of Object.values(body.endpoints as Record<string, string>)) {
      const [method = '', path = ''] = endpoint.split(' ');
      const reply = await (method === 'GET' ? door.get(path) : door.post(path, {}));
      // What there is refuses an empty body for what it lacks.
      expect(reply.status, endpoint).toBeOneOf([200, 400, 403]);
    }
  });
});

describe('GET /ingress/vocabulary', () => {
  clause('ingress-records.vocabulary', 'ingress.classes', 'ingress.headers');
  it('lists classes and rails, and names the headers', async () => {
    const { body } = await door.get('/ingress/vocabulary');
    expect(body).toEqual({
      freshness_max_age_s: 120,
      header: 'X-MKT-Class',
      idempotency_header: 'Idempotency-Key',
      rails: ['CARD', 'X402', 'RFQ'],
      status: expect.any(String),
      vocabulary: ['COMMERCE', 'RESEARCH', 'FOUNDING', 'SETTLEMENT', 'PILOT', 'GUEST'],
    });
  });
});

describe('GET /ingress/schedule', () => {
  clause('ingress.schedule');
  it('has the bands, the canonical form and its SHA-256 digest', async () => {
    const { body } = await door.get('/ingress/schedule');
    expect(body.bands).toEqual([
      { classification: 'FOUNDING', min: 0, max: 0 },
      { classification: 'SPARSE', min: 1, max: 4 },
      { classification: 'STANDARD', min: 5, max: null },
    ]);
    expect(body.digest).toBe(sha256(body.canonical));
    expect(JSON.parse(body.canonical).bands).toEqual(body.bands);
  });

  clause('ingress.no-money');
  it('has no amount of money', async () => {
    expect((await door.get('/ingress/schedule')).text.split('"provenance"')[0]).not.toMatch(/\$|cents|usd/i);
  });

  it('never changes without its version: receipts bind the digest', async () => {
    expect((await door.get('/ingress/schedule')).body).toMatchObject({
      schedule_version: 1,
      digest: 'sha256:bbc53d0bee526be13c41beec2d7e0034604c6362c06474ccccc95101a183127f',
    });
  });
});

describe('GET /ingress/keys', () => {
  clause('ingress.keys');
  it('has the Ed25519 keys of the door, and how to verify offline', async () => {
    const { body } = await door.get('/ingress/keys');
    const { x } = JSON.parse(TEST_INGRESS_SIGNING_KEY) as { x: string };
    expect(body).toMatchObject({ algorithm: 'Ed25519', publicKeyRaw: x });
    expect(createPublicKey(body.publicKeyPem).export({ format: 'jwk' }).x).toBe(x);
    expect(body.keys[0]).toMatchObject({ keyId: body.keyId, publicKeyRaw: x, status: 'active' });
    expect(body.howToVerify.length).toBeGreaterThan(3);
  });
});

describe('GET /ingress/occupancy', () => {
  clause('ingress-records.occupancy', 'ingress.occupancy');
  it('is an occupancy reading', async () => {
    expect((await door.get('/ingress/occupancy?class=COMMERCE&vertical=market-data')).body).toEqual({
      catalog_cardinality_is_not_depth: true,
      class: 'COMMERCE',
      classification: 'FOUNDING',
      counted: 'both',
      founding_open: true,
      freshness_max_age_s: 120,
      live_counterparties: 0,
      vertical: 'market-data',
    });
  });

  clause(
    'ingress-records.occupancy',
    'ingress-states.founding',
    'ingress-states.sparse',
    'ingress-states.standard',
  );
  it.each([
    [0, 'FOUNDING', true],
    [1, 'SPARSE', false],
    [4, 'SPARSE', false],
    [5, 'STANDARD', false],
  ])('%i live: %s', async (live, classification, founding_open) => {
    for (let n = 0; n < live; n++) await door.enter({ intentClass: 'RESEARCH' });
    const { body } = await door.get('/ingress/occupancy?class=RESEARCH');
    expect(body).toMatchObject({ live_counterparties: live, classification, founding_open, vertical: null });
  });

  it('counts berth keys, not sessions, on both sides unless one is asked for', async () => {
    const { berth } = await door.enter({ side: 'buy' });
    await door.admit(berth, { side: 'buy' });
    await door.admit(berth, { side: 'sell' });
    await door.enter({ side: 'sell' });
    expect(await door.live()).toBe(2);
    expect(await door.live('class=COMMERCE&side=buy')).toBe(1);
    expect(await door.live('class=COMMERCE&side=sell')).toBe(2);
  });

  clause('ingress.occupancy');
  it('counts in a vertical who declared it', async () => {
    await door.enter({ vertical: 'market-data' });
    await door.enter({ vertical: 'loans' });
    await door.enter();
    expect(await door.live('class=COMMERCE&vertical=market-data')).toBe(1);
    expect(await door.live()).toBe(3);
  });

  clause('ingress.occupancy');
  it('takes the class from the header too, and counts all classes without one', async () => {
    await door.enter({ intentClass: 'GUEST' });
    const headers = { 'x-mkt-class': 'GUEST' };
    expect((await door.get('/ingress/occupancy', headers)).body.live_counterparties).toBe(1);
    await door.enter({ intentClass: 'PILOT' });
    expect((await door.get('/ingress/occupancy?class=GUEST')).body).toMatchObject({
      class: 'GUEST',
      live_counterparties: 1,
    });
    for (const query of ['', '?class=', '?class=commerce', '?class=NOBODY']) {
      const { body } = await door.get(`/ingress/occupancy${query}`);
      expect([query, body.class, body.live_counterparties]).toEqual([query, null, 2]);
    }
    const unknownSide = (await door.get('/ingress/occupancy?class=GUEST&side=neither')).body;
    expect(unknownSide).toMatchObject({ class: 'GUEST', counted: 'both', live_counterparties: 1 });
    expect(unknownSide.notice).toContain('side');
  });
});

describe('POST /ingress/admit: ADMIT', () => {
  clause('ingress-states.admitted', 'ingress.schedule-bound', 'ingress.admit');
  it('is a signed receipt that binds class, depth and schedule', async () => {
    const berth = await newBerth();
    const body = await door.body(berth, { side: 'buy' });
    const reply = await door.post('/ingress/admit', body);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      alg: 'ed25519',
      berthKey: berth.berthKey,
      depth: {
        catalog_cardinality_is_not_depth: true,
        class: 'COMMERCE',
        classification: 'FOUNDING',
        counted: 'sell',
        founding_open: true,
        freshness_max_age_s: 120,
        live_counterparties: 0,
        side: 'sell',
        vertical: null,
      },
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      expiresAt: new Date(door.clock.now() + 120_000).toISOString(),
      intentClass: 'COMMERCE',
      issuedAt: new Date(door.clock.now()).toISOString(),
      keyId: (await door.get('/ingress/keys')).body.keyId,
      requestId: body.requestId,
      scheduleDigest: (await door.get('/ingress/schedule')).body.digest,
      sessionId: expect.stringMatching(/^COMMERCE-0-/),
      side: 'buy',
      signature: expect.stringMatching(/^[\w-]{86}$/),
      type: 'ADMIT',
    });
    await checkReceipt(reply.body);
    expect([await door.live('class=COMMERCE&side=buy'), await door.live('class=COMMERCE&side=sell')]).toEqual(
      [1, 0],
    );
    expect((await door.heartbeat(reply.body.sessionId)).status).toBe(200);
  });

  clause('ingress.side');
  it('counts at admission the other side, without the caller', async () => {
    const { berth } = await door.enter({ side: 'sell' });
    expect((await door.enter({ side: 'sell' })).receipt.depth.live_counterparties).toBe(0);
    const own = await door.admit(berth, { side: 'buy' });
    expect(own.body.depth).toMatchObject({ live_counterparties: 1, classification: 'SPARSE', side: 'sell' });
    expect((await door.enter({ side: 'buy' })).receipt.depth.live_counterparties).toBe(2);
  });

  it('binds the vertical where one is given, and counts in it', async () => {
    await door.enter({ side: 'sell', vertical: 'loans' });
    await door.enter({ side: 'sell' });
    const { receipt } = await door.enter({ side: 'buy', vertical: 'loans' });
    expect(receipt).toMatchObject({
      vertical: 'loans',
      depth: { vertical: 'loans', live_counterparties: 1 },
    });
    await checkReceipt(receipt);
  });

  clause('ingress.intent-class', 'ingress.request-id');
  it('takes class and requestId from headers', async () => {
    const { vocabulary } = (await door.get('/ingress/vocabulary')).body as { vocabulary: string[] };
    for (const intentClass of vocabulary) {
      const { intentClass: _, requestId, ...rest } = await door.body(await newBerth(), { intentClass });
      const headers = { 'x-mkt-class': intentClass, 'idempotency-key': requestId };
      const reply = await door.post('/ingress/admit', rest, headers);
      expect(reply.body, reply.text).toMatchObject({ type: 'ADMIT', intentClass, requestId });
      expect(await door.live(`class=${intentClass}`)).toBe(1);
      // What was sent in the header is the same request in the body.
      const again = await door.post('/ingress/admit', { ...rest, intentClass, requestId });
      expect(again.text).toBe(reply.text);
    }
  });

  clause('ingress.berth-key');
  it('takes hex of either case, and means one key', async () => {
    const berth = await newBerth();
    const upper = { ...berth, berthKey: berth.berthKey.toUpperCase() };
    const body = await door.body(upper);
    const reply = await door.post('/ingress/admit', { ...body, sig: body.sig.toUpperCase() });
    expect(reply.body).toMatchObject({ type: 'ADMIT', berthKey: berth.berthKey });
    await door.admit(berth);
    expect(await door.live()).toBe(1);
  });

  clause('ingress.ts', 'errors.403-stale-ts', 'limits.ts');
  it('takes a timestamp up to 300 s away', async () => {
    const now = Math.floor(door.clock.now() / 1000);
    door.clock.set(now * 1000);
    for (const ts of [now - 300, now + 300]) {
      expect((await door.admit(await newBerth(), { ts })).status).toBe(200);
    }
  });
});

describe('POST /ingress/admit: the same requestId', () => {
  clause('ingress.replay');
  it('with the same terms is the same answer to the byte, also signed anew and by another key since', async () => {
    const berth = await newBerth();
    const requestId = door.nextRequestId();
    const first = await door.admit(berth, { requestId });
    door.clock.advance(60_000);
    const again = await door.admit(berth, { requestId });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await door.live()).toBe(1);
  });

  it('still is after the session has ended, for 10 minutes at least', async () => {
    const berth = await newBerth();
    const requestId = door.nextRequestId();
    const first = await door.admit(berth, { requestId });
    door.clock.advance(120_000 + 599_999);
    expect((await door.admit(berth, { requestId })).text).toBe(first.text);
    expect(await door.live()).toBe(0);
    door.clock.advance(1);
    expect((await door.admit(berth, { requestId })).body.sessionId).not.toBe(first.body.sessionId);
  });

  it('and a session that heartbeats keep alive keeps its requestId', async () => {
    const berth = await newBerth();
    const requestId = door.nextRequestId();
    const first = await door.admit(berth, { requestId });
    for (let n = 0; n < 20; n++) {
      door.clock.advance(100_000);
      expect((await door.heartbeat(first.body.sessionId)).status).toBe(200);
    }
    expect((await door.admit(berth, { requestId })).text).toBe(first.text);
    await expectRefuse(await door.admit(berth, { requestId, side: 'sell' }), 409, 'IDENTIFIER_CONFLICT');
  });

  clause('ingress.conflict', 'errors.409-conflict');
  it.each([
    ['side', { side: 'sell' }],
    ['class', { intentClass: 'GUEST' }],
    ['vertical', { vertical: 'loans' }],
  ])('with another %s is 409', async (_, changes) => {
    const berth = await newBerth();
    const requestId = door.nextRequestId();
    const first = await door.admit(berth, { requestId });
    await expectRefuse(await door.admit(berth, { requestId, ...changes }), 409, 'IDENTIFIER_CONFLICT');
    expect((await door.admit(berth, { requestId })).text).toBe(first.text);
    expect([await door.live(), await door.live('class=GUEST')]).toEqual([1, 0]);
  });

  it('from another berth is 409', async () => {
    const requestId = door.nextRequestId();
    await door.enter({ requestId });
    await expectRefuse(await door.admit(await newBerth(), { requestId }), 409, 'IDENTIFIER_CONFLICT');
  });

  it('twenty times at once is one session and one answer', async () => {
    const berth = await newBerth();
    const body = await door.body(berth, { intentClass: 'PILOT' });
    const replies = await Promise.all(Array.from({ length: 20 }, () => door.post('/ingress/admit', body)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await door.live('class=PILOT')).toBe(1);
  });
});

describe('POST /ingress/admit: signed REFUSE, 403', () => {
  clause('errors.403-missing-class');
  it.each([
    ['is missing', undefined],
    ['is null', null],
    ['is empty', ''],
    ['is unknown', 'LEISURE'],
    ['has another case', 'commerce'],
  ])('MISSING_CLASS: the class %s', async (_, intentClass) => {
    const body = { ...(await door.body(await newBerth())), intentClass };
    await expectRefuse(await door.post('/ingress/admit', body), 403, 'MISSING_CLASS');
  });

  clause('errors.403-missing-class');
  it('MISSING_CLASS: an unknown class in the header', async () => {
    const { intentClass: _, ...body } = await door.body(await newBerth());
    const reply = await door.post('/ingress/admit', body, { 'x-mkt-class': 'LEISURE' });
    await expectRefuse(reply, 403, 'MISSING_CLASS');
  });

  clause('errors.403-invalid-class');
  it('INVALID_CLASS: the header says otherwise', async () => {
    const body = await door.body(await newBerth());
    const reply = await door.post('/ingress/admit', body, { 'x-mkt-class': 'GUEST' });
    await expectRefuse(reply, 403, 'INVALID_CLASS');
    const same = await door.post('/ingress/admit', body, { 'x-mkt-class': 'COMMERCE' });
    expect(same.status).toBe(200);
  });

  clause('errors.403-invalid-class');
  it.each([[1], [['COMMERCE']], [{}], [true]])('INVALID_CLASS: %j is no text', async (intentClass) => {
    const body = { ...(await door.body(await newBerth())), intentClass };
    await expectRefuse(await door.post('/ingress/admit', body), 403, 'INVALID_CLASS');
  });

  clause('errors.403-stale-ts', 'limits.ts');
  it.each([-301, 301, -DAY / 1000, DAY / 1000])('STALE_TS: %i s away', async (seconds) => {
    const ts = Math.floor(door.clock.now() / 1000) + seconds;
    await expectRefuse(await door.admit(await newBerth(), { ts }), 403, 'STALE_TS');
  });

  clause('ingress.sig', 'authentication.6-ingress', 'errors.403-bad-signature');
  it.each(['intentClass', 'requestId', 'side', 'ts', 'berthKey', 'vertical', 'sig'])(
    'BAD_SIGNATURE: another %s than was signed',
    async (field) => {
      const berth = await newBerth();
      const body = await door.body(berth, { vertical: 'loans' });
      const other = await door.body(await newBerth(), {
        intentClass: 'GUEST',
        side: 'sell',
        ts: body.ts - 1,
        vertical: 'market-data',
      });
      const forged = { ...body, [field]: other[field as keyof typeof other] };
      await expectRefuse(await door.post('/ingress/admit', forged), 403, 'BAD_SIGNATURE');
    },
  );

  it('BAD_SIGNATURE: a signature that was good for another requestId', async () => {
    const body = await door.body(await newBerth());
    await door.post('/ingress/admit', body);
    const reused = { ...body, requestId: door.nextRequestId() };
    await expectRefuse(await door.post('/ingress/admit', reused), 403, 'BAD_SIGNATURE');
  });

  it('BAD_SIGNATURE: a vertical that was not signed, or was signed and left out', async () => {
    const berth = await newBerth();
    const without = await door.body(berth);
    const { vertical: _, ...withheld } = await door.body(berth, { vertical: 'loans' });
    for (const body of [{ ...without, vertical: 'loans' }, withheld]) {
      await expectRefuse(await door.post('/ingress/admit', body), 403, 'BAD_SIGNATURE');
    }
  });

  clause('authentication.6-ingress');
  it.each(SMALL_ORDER_KEYS())('BAD_SIGNATURE: the key %s, which fits any message', async (berthKey) => {
    // With A of order 1, R = B and S = 1 verify for every message where small orders are let through.
    const R = '5866666666666666666666666666666666666666666666666666666666666666';
    const S = `01${'00'.repeat(31)}`;
    const berth = { berthKey, sign: async () => R + S };
    await expectRefuse(await door.admit(berth), 403, 'BAD_SIGNATURE');
  });

  const malformed: [string, Record<string, unknown>][] = [
    ['ts is a text', { ts: '1760000000' }],
    ['ts is no integer', { ts: 1760000000.5 }],
    ['ts is missing', { ts: undefined }],
    ['berthKey is too short', { berthKey: 'ab'.repeat(31) }],
    ['berthKey is no hex', { berthKey: 'zz'.repeat(32) }],
    ['berthKey is a number', { berthKey: 7 }],
    ['sig is too long', { sig: 'ab'.repeat(65) }],
    ['sig is missing', { sig: undefined }],
    ['side is unknown', { side: 'both' }],
    ['side is missing', { side: undefined }],
    ['requestId is missing', { requestId: undefined }],
    ['requestId is empty', { requestId: '' }],
    ['requestId is a number', { requestId: 5 }],
    ['requestId is too long', { requestId: 'x'.repeat(256) }],
    ['requestId is no ASCII', { requestId: 'é' }],
    ['vertical is no slug', { vertical: 'No Slug' }],
  ];
  clause('ingress.berth-key', 'ingress.side', 'ingress.ts', 'errors.403-malformed');
  it.each(malformed)('MALFORMED: %s', async (_, changes) => {
    const body = Object.assign(Object.create(null), await door.body(await newBerth()));
    for (const [name, value] of Object.entries(changes)) {
      Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true });
    }
    await expectRefuse(await door.post('/ingress/admit', body), 403, 'MALFORMED');
  });

  clause('errors.403-malformed');
  it.each([
    ['no JSON', '{"berthKey":'],
    ['no object', '[]'],
    ['a key twice', '{"ts":1,"ts":2}'],
    ['more than admission takes', JSON.stringify({ sig: 'x'.repeat(20_000) })],
  ])('MALFORMED: the body is %s', async (_, text) => {
    await expectRefuse(await door.post('/ingress/admit', text), 403, 'MALFORMED');
  });

  it('MALFORMED: the body is not declared as JSON', async () => {
    const body = JSON.stringify(await door.body(await newBerth()));
    const reply = await door.post('/ingress/admit', body, { 'content-type': 'text/plain' });
    await expectRefuse(reply, 403, 'MALFORMED');
  });

  clause('ingress.request-id');
  it('MALFORMED: requestId and Idempotency-Key differ', async () => {
    const body = await door.body(await newBerth());
    const reply = await door.post('/ingress/admit', body, { 'idempotency-key': 'another' });
    await expectRefuse(reply, 403, 'MALFORMED');
  });

  it('names what comes first: the class, then MALFORMED, the signature, the time', async () => {
    const bad = { ...(await door.body(await newBerth())), intentClass: '', ts: 1, sig: '0'.repeat(128) };
    const codes = [];
    const declared = { ...bad, intentClass: 'GUEST' };
    const old = await door.body(await newBerth(), { intentClass: 'GUEST', ts: 1 });
    for (const body of [{ ...bad, side: 'x' }, { ...declared, side: 'x' }, declared, old]) {
      codes.push((await door.post('/ingress/admit', body)).body.code);
    }
    expect(codes).toEqual(['MISSING_CLASS', 'MALFORMED', 'BAD_SIGNATURE', 'STALE_TS']);
  });

  it('says what could be read of the request, and nothing else of it', async () => {
    const body = await door.body(await newBerth());
    const { berthKey, requestId } = body;
    const stale = await door.post('/ingress/admit', { ...body, ts: 1 });
    expect(stale.body).toMatchObject({
      berthKey,
      requestId,
      intentClass: 'COMMERCE',
      side: 'buy',
      retryable: false,
    });
    const unreadable = await door.post('/ingress/admit', {
      berthKey: 'x',
      requestId: 5,
      intentClass: 'x',
      side: 1,
    });
    expect(unreadable.body).toMatchObject({ berthKey: null, requestId: null, intentClass: null, side: null });
  });

  it('leaves nothing behind: the requestId is still free', async () => {
    const berth = await newBerth();
    const body = await door.body(berth);
    await door.post('/ingress/admit', { ...body, side: 'sell' });
    expect(await door.live()).toBe(0);
    expect((await door.post('/ingress/admit', body)).status).toBe(200);
  });
});

describe('POST /ingress/admit: 429', () => {
  clause('ingress.capacity', 'errors.429-capacity', 'limits.capacity');
  it('CAPACITY_EXHAUSTED, signed, with Retry-After; other classes have budgets of their own', async () => {
    const first = await door.enter({ intentClass: 'PILOT' });
    door.clock.advance(20_000);
    for (let n = 0; n < 2; n++) await door.enter({ intentClass: 'PILOT' });
    const berth = await newBerth();
    const body = await door.body(berth, { intentClass: 'PILOT' });
    const refused = await door.post('/ingress/admit', body);
    await expectRefuse(refused, 429, 'CAPACITY_EXHAUSTED');
    expect(refused.headers.get('retry-after')).toBe('100');
    expect(refused.body).toMatchObject({ retryAfterSeconds: 100, retryable: true });
    expect((await door.admit(berth, { intentClass: 'GUEST' })).status).toBe(200);
    // The same requestId may be sent again once there is room.
    door.clock.advance(100_000);
    expect((await door.heartbeat(first.sessionId)).status).toBe(404);
    expect((await door.post('/ingress/admit', body)).body.type).toBe('ADMIT');
  });

  it('is a signed REFUSE for the limit of requests as well, which says so', async () => {
    const limits = { write: { limit: 1, windowSeconds: 3600 } };
    const busy = await createTestDoor(undefined, { ...doorBindings, RATE_LIMITS: JSON.stringify(limits) });
    const body = await busy.body(await newBerth());
    expect((await busy.post('/ingress/admit', body)).body.type).toBe('ADMIT');
    const refused = await busy.post('/ingress/admit', body);
    await expectRefuse(refused, 429, 'CAPACITY_EXHAUSTED');
    const waits = Number(refused.headers.get('retry-after'));
    expect(waits).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-policy')).toBe('"write";q=1;w=3600');
    expect(refused.body).toMatchObject({
      berthKey: body.berthKey,
      detail: expect.stringMatching(
        /^This is the limit of requests, not of the class: At most 1 requests in 3600 s/,
      ),
      requestId: body.requestId,
      retryAfterSeconds: waits,
      retryable: true,
    });
    // One that cannot even be read is refused in the same form.
    const unreadable = await busy.post('/ingress/admit', '{');
    await expectRefuse(unreadable, 429, 'CAPACITY_EXHAUSTED');
    expect(unreadable.body).toMatchObject({ berthKey: null, requestId: null });
  });
});

describe('whatever the door counts says where its caller stands', () => {
  it.each([
    ['GET', '/ingress', 200, 'read'],
    ['GET', '/ingress/vocabulary', 200, 'read'],
    ['GET', '/ingress/schedule', 200, 'read'],
    ['GET', '/ingress/keys', 200, 'read'],
    ['GET', '/ingress/occupancy?class=GUEST', 200, 'read'],
    ['GET', '/ingress/occupancy?side=neither', 200, 'read'],
    ['POST', '/ingress/admit', 403, 'write'],
    ['POST', '/ingress/heartbeat', 404, 'read'],
  ] as const)('%s %s: %d', async (method, path, status, policy) => {
    const body = path === '/ingress/heartbeat' ? { sessionId: 'none' } : {};
    const reply = await (method === 'GET' ? door.get(path) : door.post(path, body));
    expect(reply.status).toBe(status);
    expect(reply.headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${policy}";q=\\d+;w=\\d+$`));
    expect(reply.headers.get('ratelimit')).toMatch(new RegExp(`^"${policy}";r=\\d+;t=\\d+$`));
  });
});

describe('POST /ingress/heartbeat', () => {
  clause('ingress-states.heartbeat', 'ingress.heartbeat');
  it('keeps a session for another 120 s', async () => {
    const { sessionId } = await door.enter();
    door.clock.advance(119_999);
    const { status, body } = await door.heartbeat(sessionId);
    expect([status, body]).toEqual([
      200,
      { ok: true, sessionId, expiresAt: new Date(door.clock.now() + 120_000).toISOString() },
    ]);
    door.clock.advance(119_999);
    expect(await door.live()).toBe(1);
  });

  clause(
    'service.depth',
    'ingress-states.expired',
    'ingress.heartbeat-404',
    'errors.404-heartbeat',
    'limits.freshness',
  );
  it('is 404 for an expired session: it counts at 119.999 s, and not at 120.000 s', async () => {
    const { sessionId } = await door.enter();
    door.clock.advance(119_999);
    expect(await door.live()).toBe(1);
    door.clock.advance(1);
    expect(await door.live()).toBe(0);
    const { status, body, headers } = await door.heartbeat(sessionId);
    expect([status, body.code]).toEqual([404, 'ingress_session_not_found']);
    expect(body.detail).toMatch(/fresh requestId/);
    expect(headers.get('content-type')).toBe('application/problem+json');
  });

  clause('ingress-states.re-admit');
  it('does not raise the dead', async () => {
    const { berth, sessionId } = await door.enter();
    door.clock.advance(120_000);
    expect((await door.heartbeat(sessionId)).status).toBe(404);
    const again = await door.admit(berth);
    expect(again.status).toBe(200);
    expect(again.body.sessionId).not.toBe(sessionId);
    expect([await door.live(), (await door.heartbeat(again.body.sessionId)).status]).toEqual([1, 200]);
    expect((await door.heartbeat(sessionId)).status).toBe(404);
  });

  clause('ingress.heartbeat-404');
  it.each(['', 'x', 'COMMERCE-0-x', 'LEISURE-0-00000000-0000-4000-8000-000000000000'])(
    'is 404 for the unknown session "%s"',
    async (sessionId) => {
      expect(
        (await door.heartbeat(sessionId || 'COMMERCE-0-00000000-0000-4000-8000-000000000000')).status,
      ).toBe(404);
    },
  );

  it.each([[undefined], [null], [5], [{}]])('is 400 for %j', async (sessionId) => {
    expect((await door.heartbeat(sessionId)).body.code).toBe('validation_failed');
  });

  it('does not tell the session of one class from that of another by its token alone', async () => {
    const { sessionId } = await door.enter();
    expect((await door.heartbeat(sessionId.replace('COMMERCE', 'GUEST'))).status).toBe(404);
  });
});

/** The points of small order, and their encodings that are not canonical. */
function SMALL_ORDER_KEYS(): [string][] {
  const y = [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ];
  const signBit = (hex: string) =>
    hex.slice(0, 62) + (Number.parseInt(hex.slice(62), 16) | 0x80).toString(16);
  return y.flatMap((hex) => [[hex], [signBit(hex)]] as [string][]);
}
