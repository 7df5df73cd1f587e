import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts';
import { keysOf, madeKey } from '../../testing/fixtures/agent-keys.ts';
import { newAgentOf } from '../../testing/fixtures/new-seller.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const keys = keysOf(market);
const { DB } = testBindings;

const NOWHERE = '00000000-0000-4000-8000-00000000abcd';
const inMs = (ms: number) => new Date(market.clock.now() + ms).toISOString();
const refused = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

async function agent(body: Record<string, unknown> = { name: 'Ada' }) {
  const { apiKey, id } = await newAgentOf(market, body);
  return { apiKey, id, keyId: await keys.idOf(apiKey) };
}

describe('a key that is made', () => {
  it('is shown once, and listed without its text', async () => {
    const { apiKey, id, keyId } = await agent();
    const expiresAt = inMs(HOUR_MS);
    const made = await keys.create(apiKey, { label: 'night shift', scopes: ['buy', 'read'], expiresAt });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      apiKey: expect.stringMatching(/^mkt_live_[0-9A-Za-z]{43}$/),
      key: { label: 'night shift', scopes: ['read', 'buy'], expiresAt, parentKeyId: keyId, state: 'live' },
    });
    const { body } = await keys.list(apiKey);
    expect(body.keys).toMatchObject([{ state: 'live' }, { state: 'live' }]);
    const stored = JSON.stringify(await keys.rows(id));
    for (const text of [stored, JSON.stringify(body)]) expect(text).not.toContain(made.body.apiKey);
    expect((await keys.own(String(made.body.apiKey))).body.id).toBe(id);
  });

  it('ends when the key that made it does, if nothing else was said', async () => {
    const { apiKey } = await agent();
    const expiresAt = inMs(HOUR_MS);
    const parent = await keys.make(apiKey, ['manage'], { expiresAt });
    const { body } = await keys.create(parent.apiKey, { scopes: ['manage'] });
    expect(body.key).toMatchObject({ expiresAt });
  });

  it.each([
    ['more scopes', ['read', 'manage'], { scopes: ['buy'] }, 'scopes'],
    ['all', ['read', 'manage'], { scopes: ['all'] }, 'scopes'],
    ['all beside others', ['read', 'manage'], { scopes: ['read', 'all'] }, 'scopes'],
    [
      'a later end',
      ['read', 'manage'],
      { scopes: ['read'], expiresAt: '2099-01-01T00:00:00.000Z' },
      'expiresAt',
    ],
  ] as const)('has not %s than its parent', async (_, scopes, wish, field) => {
    const { apiKey, id } = await agent();
    const parent = await keys.make(apiKey, scopes, { expiresAt: inMs(HOUR_MS) });
    const before = await keys.rows(id);
    const { status, body } = await keys.create(parent.apiKey, wish);
    expect([status, body.code, body.errors]).toMatchObject([403, 'key_would_widen', [{ path: field }]]);
    expect(await keys.rows(id)).toEqual(before);
  });

  it.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['fly'] }, 'scopes'],
    [{ scopes: ['read', 'buy', 'sell', 'manage', 'all'] }, 'scopes'],
    [{ scopes: 'read' }, 'scopes'],
    [{ label: '' }, 'label'],
    [{ label: 'x'.repeat(65) }, 'label'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt'],
    [{ policyId: NOWHERE }, 'policyId'],
  ])('is refused for %j', async (wish, path) => {
    const { apiKey } = await agent();
    const { status, body } = await keys.create(apiKey, wish);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect((body.errors as { path: string }[])[0]?.path.split('.')[0]).toBe(path);
  });

  it('needs a key that may manage', async () => {
    const { apiKey } = await agent();
    const { apiKey: narrow } = await keys.make(apiKey, ['read', 'buy', 'sell']);
    for (const answer of [
      await keys.create(narrow),
      await keys.list(narrow),
      await keys.rotate(narrow, NOWHERE),
    ])
      expect(refused(answer)).toEqual([403, 'scope_missing']);
  });

  it('is the fiftieth at most', async () => {
    const { apiKey } = await agent();
    const made = [];
    for (let n = 1; n < 50; n += 1) made.push(await keys.make(apiKey, ['read']));
    expect(refused(await keys.create(apiKey))).toEqual([409, 'key_limit_reached']);
    await keys.revoke(apiKey, String(made[0]?.id));
    expect((await keys.create(apiKey)).status).toBe(201);
  });
});

describe('rotating', () => {
  it('gives a key that is the same, and lets the old one work for the hours that were asked for', async () => {
    const { apiKey } = await agent();
    const old = await keys.make(apiKey, ['read', 'manage'], { label: 'desk', expiresAt: inMs(30 * HOUR_MS) });
    const child = await keys.make(old.apiKey, ['read']);
    await DB.prepare('UPDATE agent_keys SET policy_id = ? WHERE id = ?').bind(NOWHERE, old.id).run();
    const answer = await keys.rotate(apiKey, old.id, { overlapHours: 24 });
    const { apiKey: text, id } = madeKey(answer);
    const { body } = await keys.list(apiKey);
    const listed = body.keys as { id: string; createdAt: string }[];
    const before = listed.find((key) => key.id === old.id);
    const { createdAt: _, lastUsedAt: _used, ...same } = { ...before } as Record<string, unknown>;
    expect(listed.find((key) => key.id === id)).toMatchObject({
      ...same,
      id,
      replacesKeyId: old.id,
      expiresAt: inMs(30 * HOUR_MS),
      policyId: NOWHERE,
    });
    expect(before).toMatchObject({ expiresAt: inMs(24 * HOUR_MS) });
    expect(answer.body.replacedEndsAt).toBe(inMs(24 * HOUR_MS));
    expect(listed.find((key) => key.id === child.id)).toMatchObject({ parentKeyId: id });
    market.clock.advance(24 * HOUR_MS - 1);
    expect((await keys.own(old.apiKey)).status).toBe(200);
    market.clock.advance(1);
    expect(refused(await keys.own(old.apiKey))).toEqual([401, 'api_key_expired']);
    for (const key of [text, child.apiKey]) expect((await keys.own(key)).status).toBe(200);
  });

  it('prolongs no key, and the old one not beyond its own end', async () => {
    const { apiKey } = await agent();
    const expiresAt = inMs(HOUR_MS / 2);
    const old = await keys.make(apiKey, ['read'], { expiresAt });
    const { body } = await keys.rotate(apiKey, old.id, { overlapHours: 24 });
    expect([body.replacedEndsAt, (body.key as { expiresAt: string }).expiresAt]).toEqual([
      expiresAt,
      expiresAt,
    ]);
  });

  it('happens once: what took its place is rotated next', async () => {
    const { apiKey } = await agent();
    const old = await keys.make(apiKey, ['read']);
    await keys.rotate(apiKey, old.id);
    expect(refused(await keys.rotate(apiKey, old.id))).toEqual([409, 'key_already_rotated']);
  });

  it('is not for a key that ended', async () => {
    const { apiKey } = await agent();
    const old = await keys.make(apiKey, ['read']);
    await keys.revoke(apiKey, old.id);
    expect(refused(await keys.rotate(apiKey, old.id))).toEqual([409, 'key_ended']);
    const short = await keys.make(apiKey, ['read'], { expiresAt: inMs(1000) });
    market.clock.advance(1000);
    expect(refused(await keys.rotate(apiKey, short.id))).toEqual([409, 'key_ended']);
  });

  it('ends with its successor, and what was made with it meanwhile ends, too', async () => {
    const { apiKey } = await agent();
    const old = await keys.make(apiKey, ['read', 'manage']);
    const successor = madeKey(await keys.rotate(apiKey, old.id, { overlapHours: 24 }));
    const late = await keys.make(old.apiKey, ['read']);
    expect((await keys.revoke(apiKey, successor.id)).status).toBe(200);
    for (const ended of [successor, old, late]) expect((await keys.own(ended.apiKey)).status).toBe(401);
    expect((await keys.own(apiKey)).status).toBe(200);
  });

  it.each([-1, 25, 1.5, '1', null])('takes no overlap of %j hours', async (overlapHours) => {
    const { apiKey, keyId } = await agent();
    const { status, body } = await keys.rotate(apiKey, keyId, { overlapHours });
    // Null is the same as leaving it out.
    expect([status, body.code]).toEqual(
      overlapHours === null ? [201, undefined] : [400, 'validation_failed'],
    );
  });

  it('can be done again by the old key while the new one was never used: its text may have been lost', async () => {
    const { apiKey, keyId } = await agent();
    const lost = madeKey(await keys.rotate(apiKey, keyId));
    const found = madeKey(await keys.rotate(apiKey, lost.id, { overlapHours: 0 }));
    expect(refused(await keys.own(lost.apiKey))).toEqual([401, 'api_key_expired']);
    expect((await keys.own(found.apiKey)).status).toBe(200);
    await DB.prepare("UPDATE agent_keys SET last_used_at = '2026-06-01T00:00:00.000Z' WHERE id = ?")
      .bind(found.id)
      .run();
    expect(refused(await keys.rotate(apiKey, found.id))).toEqual([403, 'key_not_below']);
    expect(refused(await keys.revoke(apiKey, found.id))).toEqual([403, 'key_not_below']);
  });

  it('cannot be done again by the old key after ten minutes: its text buys no more time than its overlap', async () => {
    const { apiKey, keyId } = await agent();
    const next = madeKey(await keys.rotate(apiKey, keyId, { overlapHours: 24 }));
    market.clock.advance(10 * MINUTE_MS);
    for (const answer of [await keys.rotate(apiKey, next.id), await keys.revoke(apiKey, next.id)])
      expect(refused(answer)).toEqual([403, 'key_not_below']);
    expect((await keys.own(next.apiKey)).status).toBe(200);
  });

  it('keeps an answer out of the store: it holds a secret', async () => {
    const { apiKey, keyId } = await agent();
    const options = { apiKey, headers: { 'idempotency-key': 'rotate-once' }, body: {} };
    const rotate = () => market.request('POST', `/agents/me/keys/${keyId}/rotate`, options);
    const [first, second] = [await rotate(), await rotate()];
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(((await second.json()) as { code: string }).code).toBe('idempotency_not_replayable');
    const { apiKey: text } = (await first.json()) as { apiKey: string };
    const { results } = await DB.prepare('SELECT * FROM idempotency_keys').all();
    expect(JSON.stringify(results)).not.toContain(text);
  });
});

describe('revoking', () => {
  it('ends a key, and those that were made with it, at once; the others stay', async () => {
    const { apiKey } = await agent();
    const parent = await keys.make(apiKey, ['manage', 'read']);
    const child = await keys.make(parent.apiKey, ['manage', 'read']);
    const grandchild = await keys.make(child.apiKey, ['read']);
    const beside = await keys.make(apiKey, ['read']);
    expect((await keys.revoke(apiKey, parent.id)).body).toMatchObject({
      keyId: parent.id,
      revokedAt: inMs(0),
    });
    for (const key of [parent, child, grandchild])
      expect(refused(await keys.own(key.apiKey))).toEqual([401, 'api_key_revoked']);
    expect((await keys.own(beside.apiKey)).status).toBe(200);
  });

  it('a second time says when it was', async () => {
    const { apiKey } = await agent();
    const { id } = await keys.make(apiKey, ['read']);
    const first = await keys.revoke(apiKey, id);
    market.clock.advance(5000);
    expect((await keys.revoke(apiKey, id)).body.revokedAt).toBe(first.body.revokedAt);
  });

  it('is for itself and what was made with it: neither for its parent, nor for one beside it', async () => {
    const { apiKey, keyId } = await agent();
    const [one, other] = [await keys.make(apiKey, ['manage']), await keys.make(apiKey, ['manage'])];
    for (const id of [keyId, other.id]) {
      expect(refused(await keys.revoke(one.apiKey, id))).toEqual([403, 'key_not_below']);
      expect(refused(await keys.rotate(one.apiKey, id))).toEqual([403, 'key_not_below']);
    }
    expect((await keys.revoke(one.apiKey, one.id)).status).toBe(200);
  });

  it('is 404 for a key of another agent, as for none', async () => {
    const [one, other] = [await agent(), await agent()];
    for (const id of [other.keyId, NOWHERE]) {
      expect(refused(await keys.revoke(one.apiKey, id))).toEqual([404, 'key_not_found']);
      expect(refused(await keys.rotate(one.apiKey, id))).toEqual([404, 'key_not_found']);
    }
  });
});

describe('the last key that may do everything', () => {
  it('is neither revoked nor rotated away at once, unless another is left or the account can be recovered', async () => {
    const { apiKey, id, keyId } = await agent({ name: 'Ada', email: 'ada@example.com' });
    await keys.make(apiKey, ['manage']);
    expect(refused(await keys.revoke(apiKey, keyId))).toEqual([409, 'last_key']);
    expect(refused(await keys.rotate(apiKey, keyId, { overlapHours: 0 }))).toEqual([409, 'last_key']);
    // One that was made with it ends with it, so it is none that is left.
    await keys.make(apiKey, ['all']);
    expect(refused(await keys.revoke(apiKey, keyId))).toEqual([409, 'last_key']);
    expect((await keys.own(apiKey)).status).toBe(200);
    await DB.prepare("UPDATE agents SET email_verified_at = '2026-06-01T00:00:00.000Z' WHERE id = ?")
      .bind(id)
      .run();
    const { apiKey: next, id: nextId } = madeKey(await keys.rotate(apiKey, keyId, { overlapHours: 0 }));
    expect((await keys.revoke(next, nextId)).status).toBe(200);
  });

  it('does not hold up the end of other keys', async () => {
    const { apiKey, keyId } = await agent();
    const narrow = await keys.make(apiKey, ['read']);
    await DB.prepare('UPDATE agent_keys SET expires_at = ? WHERE id = ?').bind(inMs(HOUR_MS), keyId).run();
    expect((await keys.revoke(apiKey, narrow.id)).status).toBe(200);
  });
});

describe('the agent is told', () => {
  it('by its callback and by mail, with ids and no text of a key', async () => {
    const { apiKey, id, keyId } = await agent({
      name: 'Ada',
      email: 'ada.told@example.com',
      callbackUrl: 'https://agent.example.com/events',
    });
    const made = await keys.make(apiKey, ['read'], { label: 'Free money: example.com' });
    const next = madeKey(await keys.rotate(apiKey, made.id));
    await keys.revoke(apiKey, next.id);
    const { results: events } = await DB.prepare(
      'SELECT type, data FROM agent_events WHERE agent_id = ? ORDER BY rowid',
    )
      .bind(id)
      .all<{ type: string; data: string }>();
    expect(events.map(({ type, data }) => [type, JSON.parse(data)])).toMatchObject([
      ['key.created', { keyId: made.id, byKeyId: keyId, scopes: ['read'] }],
      ['key.rotated', { keyId: next.id, replacedKeyId: made.id }],
      ['key.revoked', { keyId: next.id }],
    ]);
    const { results: mails } = await DB.prepare(
      "SELECT subject, text FROM mail_outbox WHERE recipient = 'ada.told@example.com'",
    ).all<{ subject: string; text: string }>();
    expect(mails).toHaveLength(3);
    const everything = JSON.stringify([events, mails]);
    for (const secret of [made.apiKey, next.apiKey, 'Free money']) expect(everything).not.toContain(secret);
  });

  it('by so many mails a day: an address that nobody proved may be a stranger’s', async () => {
    const sent = () =>
      DB.prepare("SELECT COUNT(*) AS n FROM mail_outbox WHERE person = 'victim@gmail.com'").first('n');
    for (const email of ['victim@gmail.com', 'v.ictim@gmail.com', 'victim+1@googlemail.com']) {
      const { apiKey } = await agent({ name: 'Rude', email });
      for (let n = 0; n < 3; n += 1) await keys.make(apiKey, ['read']);
    }
    expect(await sent()).toBe(3);
    const { apiKey, id } = await agent({ name: 'The reader', email: 'victim@gmail.com' });
    await DB.prepare("UPDATE agents SET email_verified_at = '2026-06-01T00:00:00.000Z' WHERE id = ?")
      .bind(id)
      .run();
    for (let n = 0; n < 12; n += 1) await keys.make(apiKey, ['read']);
    expect(await sent()).toBe(10);
  });
});
