import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdmissionRefused, Berth, keySetOf, verifyAdmission } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { type LiveMarketplace, startMarketplace } from './marketplace.ts';

// The door through the public API, by HTTP, with what an agent has at hand: a key, JSON and OpenSSL.

// biome-ignore lint/suspicious/noExplicitAny: read as a stranger reads it, untyped.
type Answer = any;

let market: LiveMarketplace;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ingress-'));
  market = await startMarketplace();
});
afterAll(async () => {
  await market?.close();
  rmSync(folder, { recursive: true });
});

async function call(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(market.baseUrl() + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Answer };
}

/** An admission signed by node's own crypto. */
function signedAdmission(changes: Record<string, unknown> = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url');
  const terms = {
    berthKey: raw.toString('hex'),
    intentClass: 'RESEARCH',
    requestId: randomUUID(),
    side: 'sell',
    ts: Math.floor(Date.now() / 1000),
    ...changes,
  };
  return { ...terms, sig: sign(null, Buffer.from(JSON.stringify(terms)), privateKey).toString('hex') };
}

const OPENSSL = process.env.OPENSSL ?? 'openssl';
const openssl = (...args: string[]) => execFileSync(OPENSSL, args).toString();
function fileOf(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const sha256 = (text: string) =>
  `sha256:${openssl('dgst', '-sha256', '-r', fileOf('text', text)).slice(0, 64)}`;

function sortedJson(value: Answer): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key])}`).join()}}`;
}

/** What GET /ingress/keys and GET /ingress/schedule say to do, with OpenSSL. */
function verifyWithOpenSsl(answer: Answer, keys: Answer, schedule: Answer): void {
  const { provenance: _, digest, signature, ...signed } = answer;
  expect(sha256(sortedJson(signed))).toBe(digest);
  const key = keys.keys.find((one: Answer) => one.keyId === signed.keyId);
  const printed = openssl(
    ...['pkeyutl', '-verify', '-rawin', '-pubin'],
    ...['-inkey', fileOf('key.pem', key.publicKeyPem)],
    ...['-in', fileOf('message', `${signed.keyId}.${signed.issuedAt}.${digest}`)],
    ...['-sigfile', fileOf('signature', Buffer.from(signature, 'base64url'))],
  );
  expect(printed).toContain('Signature Verified Successfully');
  if (signed.type !== 'ADMIT') return;
  expect(sha256(schedule.canonical)).toBe(signed.scheduleDigest);
  const { live_counterparties: live, classification } = signed.depth;
  const band = JSON.parse(schedule.canonical).bands.find(
    ({ min, max }: Answer) => live >= min && (max === null || live <= max),
  );
  expect(band.classification).toBe(classification);
}

describe('the door, through the public API', () => {
  clause('authentication.4-public');
  it('answers below /api/ingress, and nothing else does', async () => {
    const reads = ['/ingress', '/ingress/vocabulary', '/ingress/schedule', '/ingress/keys'];
    for (const path of [...reads, '/ingress/occupancy']) {
      expect((await call(path)).status).toBe(200);
    }
    for (const path of ['/ingress/nothing', '/ingresses'])
      expect((await call(path)).body.code).toBe('path_not_found');
  });

  clause('conventions.all-paths');
  it('is documented with the rest of the API', async () => {
    const { paths } = (await call('/openapi.json')).body;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/ingress/admit', '/ingress/heartbeat']));
    expect((await fetch(`${market.baseUrl()}/problems/STALE_TS`)).status).toBe(200);
  });

  clause('ingress.offline');
  it('its receipts verify with OpenSSL, from its keys and its schedule alone', async () => {
    const [keys, schedule] = [(await call('/ingress/keys')).body, (await call('/ingress/schedule')).body];
    for (let n = 0; n < 6; n++) {
      const { status, body } = await call(
        '/ingress/admit',
        signedAdmission({ side: n === 5 ? 'buy' : 'sell' }),
      );
      expect([status, body.type]).toEqual([200, 'ADMIT']);
      verifyWithOpenSsl(body, keys, schedule);
      expect(body.depth.classification).toBe(n === 5 ? 'STANDARD' : 'FOUNDING');
    }
    const refused = await call('/ingress/admit', signedAdmission({ ts: 1 }));
    expect([refused.status, refused.body.code]).toEqual([403, 'STALE_TS']);
    verifyWithOpenSsl(refused.body, keys, schedule);
    for (const tampered of [
      { ...refused.body, code: 'MALFORMED' },
      { ...refused.body, type: 'ADMIT' },
    ]) {
      expect(() => verifyWithOpenSsl(tampered, keys, schedule)).toThrow();
    }
  });

  clause('browse.commerce-depth');
  it('tells browsers its depth', async () => {
    const before = (await call('/marketplace/listings?class=COMMERCE')).body.depth;
    expect(before).toMatchObject({ class: 'COMMERCE', live_counterparties: 0, founding_open: true });
    await call('/ingress/admit', signedAdmission({ intentClass: 'COMMERCE' }));
    const after = await call('/marketplace/listings', undefined, { 'x-mkt-class': 'COMMERCE' });
    expect(after.body.depth).toMatchObject({
      live_counterparties: 1,
      classification: 'SPARSE',
      founding_open: false,
    });
    expect(after.body).not.toHaveProperty('depth_notice');
  });
});

describe('the door, when its Worker cannot be reached', () => {
  let admission: ReturnType<typeof signedAdmission>;
  let admitted: Answer;
  beforeAll(async () => {
    admission = signedAdmission({ intentClass: 'SETTLEMENT' });
    admitted = await call('/ingress/admit', admission);
    await market.breakDoor();
  });

  clause('ingress.unavailable');
  it('refuses as COMPONENT_UNAVAILABLE, in a receipt that verifies with the keys as they are listed', async () => {
    const [keys, schedule] = [(await call('/ingress/keys')).body, (await call('/ingress/schedule')).body];
    for (const body of [signedAdmission(), admission]) {
      const refused = await call('/ingress/admit', body);
      expect([refused.status, refused.body.type, refused.body.code]).toEqual([
        503,
        'REFUSE',
        'COMPONENT_UNAVAILABLE',
      ]);
      expect(refused.body).toMatchObject({
        berthKey: body.berthKey,
        requestId: body.requestId,
        retryable: true,
      });
      verifyWithOpenSsl(refused.body, keys, schedule);
      expect(await verifyAdmission(refused.body, keySetOf(keys), schedule)).toMatchObject({
        valid: true,
        type: 'REFUSE',
      });
      expect(() => verifyWithOpenSsl({ ...refused.body, type: 'ADMIT' }, keys, schedule)).toThrow();
    }
  });

  it('says of a request that would be refused anyway why it would be', async () => {
    // An old request may repeat one that was admitted, which only the door could tell.
    const old = await call('/ingress/admit', signedAdmission({ ts: 1 }));
    expect([old.status, old.body.type, old.body.code]).toEqual([503, 'REFUSE', 'COMPONENT_UNAVAILABLE']);
    const forged = await call('/ingress/admit', { ...signedAdmission(), side: 'buy' });
    expect([forged.status, forged.body.code]).toEqual([403, 'BAD_SIGNATURE']);
    const large = await call('/ingress/admit', { ...signedAdmission(), filler: 'x'.repeat(100_000) });
    expect([large.status, large.body.code]).toEqual([403, 'MALFORMED']);
  });

  it('tells nothing that only the door knows, and does not call itself open', async () => {
    for (const [path, body] of [
      ['/ingress/heartbeat', { sessionId: admitted.body.sessionId }],
      ['/ingress/occupancy?class=COMMERCE', undefined],
    ] as const) {
      const answer = await call(path, body);
      expect([answer.status, answer.body.code, answer.body.retryable]).toEqual([
        503,
        'service_unavailable',
        true,
      ]);
    }
    for (const path of ['/ingress', '/ingress/vocabulary']) {
      const { status, body } = await call(path);
      expect([status, body.status]).toEqual([200, 'unavailable']);
    }
    const { body } = await call('/marketplace/listings?class=COMMERCE');
    expect([body.depth, typeof body.depth_notice]).toEqual([null, 'string']);
  });

  clause('ingress.unavailable', 'errors.503-unavailable');
  it('once it is back, answers the same requestId as before, and admits what it never saw', async () => {
    const never = signedAdmission({ intentClass: 'SETTLEMENT' });
    expect((await call('/ingress/admit', never)).body.code).toBe('COMPONENT_UNAVAILABLE');
    // Deployed anew, with another provenance key too: what was admitted is repeated to the byte, and goes on.
    await market.mendDoor({ rotateKey: true });
    expect((await call('/ingress/admit', admission)).text).toBe(admitted.text);
    const beat = await call('/ingress/heartbeat', { sessionId: admitted.body.sessionId });
    expect([beat.status, beat.body.ok]).toEqual([200, true]);
    expect((await call('/ingress/admit', never)).body.type).toBe('ADMIT');
    expect((await call('/ingress')).body.status).toBe('open');
  });
});

describe('the SDK at the door', () => {
  it('enters with a key of its own, and believes what verifies', async () => {
    const berth = await Berth.create({ baseUrl: market.baseUrl() });
    const { sessionId, receipt } = await berth.enter({ intentClass: 'PILOT', side: 'buy' });
    berth.leave();
    expect(receipt).toMatchObject({ type: 'ADMIT', berthKey: berth.key.berthKey, sessionId });
    expect(await berth.heartbeat()).toBe(true);
    const [keys, schedule] = [
      keySetOf((await call('/ingress/keys')).body),
      (await call('/ingress/schedule')).body,
    ];
    expect(await verifyAdmission(receipt, keys, schedule)).toMatchObject({ valid: true, type: 'ADMIT' });
    const forged = { ...receipt, depth: { ...(receipt.depth as object), classification: 'STANDARD' } };
    expect(await verifyAdmission(forged, keys, schedule)).toMatchObject({ reason: 'digest_mismatch' });
  });

  it('learns by which code it was refused', async () => {
    const berth = await Berth.create({ baseUrl: market.baseUrl(), now: () => 0 });
    const refused = await berth.admit({ intentClass: 'PILOT', side: 'buy' }).catch((error) => error);
    expect(refused).toBeInstanceOf(AdmissionRefused);
    expect(refused).toMatchObject({ code: 'STALE_TS', status: 403, receipt: { type: 'REFUSE' } });
  });
});
