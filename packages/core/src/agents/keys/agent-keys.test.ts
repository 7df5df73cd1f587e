import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { describe, expect, it } from 'vitest';
import { addKeyBeside } from '../../testing/fixtures/new-key.ts';
import { newAgentOf } from '../../testing/fixtures/new-seller.ts';
import { createMcpFace } from '../../testing/marketplace/mcp-face.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { recordKeyUses } from './agent-keys.store.ts';

const sales = createSalesMarketplace();
const { market } = sales;
const { DB, TEST_MIGRATIONS } = testBindings;

const keysOf = async (agentId: string) =>
  (
    await DB.prepare('SELECT * FROM agent_keys WHERE agent_id = ? ORDER BY created_at, id')
      .bind(agentId)
      .all<Record<string, unknown>>()
  ).results;

const ownRecord = (apiKey: string) => market.request('GET', '/agents/me', { apiKey });
const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code;

describe('the key of the registration', () => {
  it.each(['/agents/register', '/sell/register'])(
    '%s: is the first one, may do everything, and is stored as a hash only',
    async (path) => {
      const response = await market.request('POST', path, { body: { name: 'Ada' } });
      const { id, apiKey } = (await response.json()) as { id: string; apiKey: string };
      expect(await keysOf(id)).toMatchObject([
        { parent_key_id: null, scopes: '["all"]', key_hash: await sha256Hex(apiKey), expires_at: null },
      ]);
      expect(JSON.stringify(await keysOf(id))).not.toContain(apiKey);
      expect((await ownRecord(apiKey)).status).toBe(200);
    },
  );
});

describe('a key that ended', () => {
  it('is refused from the next request on, whether this isolate knew it or not', async () => {
    const { apiKey } = await newAgentOf(market);
    const { apiKey: other, id } = await addKeyBeside(market, apiKey);
    expect((await ownRecord(other)).status).toBe(200);
    await DB.prepare('UPDATE agent_keys SET revoked_at = ? WHERE id = ?')
      .bind(new Date(market.clock.now()).toISOString(), id)
      .run();
    for (const _ of [1, 2]) {
      const refused = await ownRecord(other);
      expect([refused.status, await codeOf(refused)]).toEqual([401, 'api_key_revoked']);
    }
    expect((await ownRecord(apiKey)).status).toBe(200);
  });

  it('expires to the millisecond', async () => {
    const { apiKey } = await newAgentOf(market);
    const expiresAt = new Date(market.clock.now() + 5000).toISOString();
    const { apiKey: other } = await addKeyBeside(market, apiKey, { expiresAt });
    market.clock.advance(4999);
    expect((await ownRecord(other)).status).toBe(200);
    market.clock.advance(1);
    const refused = await ownRecord(other);
    expect([refused.status, await codeOf(refused)]).toEqual([401, 'api_key_expired']);
  });

  it('reads what anybody may read', async () => {
    const { id } = await sales.listing();
    const { apiKey } = await newAgentOf(market);
    const ended = await addKeyBeside(market, apiKey, { revokedAt: '2026-01-01T00:00:00.000Z' });
    const narrow = await addKeyBeside(market, apiKey, { scopes: ['sell'] });
    for (const key of [ended, narrow]) {
      const { status } = await market.request('GET', `/marketplace/listings/${id}`, { apiKey: key.apiKey });
      expect(status).toBe(200);
    }
  });
});

describe('scopes', () => {
  it('hold for tools as for routes, and a purchase refused for one charges nothing', async () => {
    const { id } = await sales.listing({ priceCents: 300 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    const { apiKey } = await addKeyBeside(market, buyer.apiKey, { scopes: ['read', 'sell'] });
    const refused = await sales.buy(id, { ...buyer, apiKey });
    const detail = 'The key needs the scope `buy` or `all`. It has: read, sell.';
    const expected = { charged: false, code: 'scope_missing', detail };
    expect([refused.status, refused.body]).toMatchObject([403, expected]);
    const tool = await createMcpFace(market).callTool('buy_data', { listing_id: id, api_key: apiKey });
    expect([tool.isError, tool.structuredContent]).toMatchObject([true, expected]);
    expect(await sales.balanceOf(buyer)).toBe(1000);
    const { apiKey: buys } = await addKeyBeside(market, buyer.apiKey, { scopes: ['buy'] });
    expect((await sales.buy(id, { ...buyer, apiKey: buys })).status).toBe(200);
  });
});

describe('Idempotency-Keys are the agent’s', () => {
  it('so a purchase repeated with another of its keys is the same purchase', async () => {
    const { id } = await sales.listing({ priceCents: 300 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    const first = await sales.buy(id, buyer, { idempotencyKey: 'one-purchase' });
    const { apiKey } = await addKeyBeside(market, buyer.apiKey);
    const again = await sales.buy(id, { ...buyer, apiKey }, { idempotencyKey: 'one-purchase' });
    expect([again.status, again.body.id]).toEqual([first.status, first.body.id]);
    expect(await sales.balanceOf(buyer)).toBe(700);
  });

  it('but a key that may not buy gets no answer that another key of the agent got', async () => {
    const { id } = await sales.listing({ priceCents: 300 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    await sales.buy(id, buyer, { idempotencyKey: 'seen-by-one' });
    const { apiKey } = await addKeyBeside(market, buyer.apiKey, { scopes: ['read'] });
    const refused = await sales.buy(id, { ...buyer, apiKey }, { idempotencyKey: 'seen-by-one' });
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
  });

  it('and other agents’ keys are other scopes', async () => {
    const { id } = await sales.listing({ priceCents: 0 });
    const [one, other] = [await sales.newAgent(), await sales.newAgent()];
    const bought = [
      await sales.buy(id, one, { idempotencyKey: 'k' }),
      await sales.buy(id, other, { idempotencyKey: 'k' }),
    ];
    expect(new Set(bought.map(({ body }) => body.id)).size).toBe(2);
  });
});

describe('the last use', () => {
  it('is counted beside the request, once an hour, and written in a batch', async () => {
    const { id, apiKey } = await newAgentOf(market);
    const [key] = await keysOf(id);
    const keyId = String(key?.id);
    const counts = () => market.keyTally.counts.get(keyId) ?? 0;
    await ownRecord(apiKey);
    expect(counts()).toBe(1);
    const at = market.clock.now();
    await market.newPorts().market.commit([recordKeyUses([keyId], at)]);
    expect((await keysOf(id))[0]?.last_used_at).toBe(new Date(at).toISOString());
    await ownRecord(apiKey);
    expect(counts()).toBe(1);
    // Two isolates that both saw an old time write one.
    await market.newPorts().market.commit([recordKeyUses([keyId], at + 1000)]);
    expect((await keysOf(id))[0]?.last_used_at).toBe(new Date(at).toISOString());
    market.clock.advance(3_600_001);
    await ownRecord(apiKey);
    expect(counts()).toBe(2);
  });
});

describe('the database itself', () => {
  const insert = async (apiKey: string, fields: Parameters<typeof addKeyBeside>[2]) =>
    addKeyBeside(market, apiKey, fields).then(
      () => 'made',
      (error: { constraint?: string }) => error.constraint,
    );

  it('takes no key that can do more than the one that made it, or lives longer', async () => {
    const { apiKey } = await newAgentOf(market);
    const at = (ms: number) => new Date(market.clock.now() + ms).toISOString();
    const { id: parentKeyId } = await addKeyBeside(market, apiKey, {
      scopes: ['read', 'buy'],
      expiresAt: at(9000),
    });
    const tried = [
      { parentKeyId, scopes: ['read'], expiresAt: at(9000) },
      { parentKeyId, scopes: ['read', 'sell'], expiresAt: at(9000) },
      { parentKeyId, scopes: ['all'], expiresAt: at(9000) },
      { parentKeyId, scopes: ['buy'], expiresAt: at(9001) },
      { parentKeyId, scopes: ['buy'] },
    ] as const;
    const outcomes = [];
    for (const fields of tried) outcomes.push(await insert(apiKey, fields));
    expect(outcomes).toEqual(['made', ...Array.from({ length: 4 }, () => 'guard key_within_parent')]);
    const other = await newAgentOf(market);
    expect(await insert(other.apiKey, tried[0])).toBe('guard key_within_parent');
    market.clock.advance(9000);
    expect(await insert(apiKey, tried[0])).toBe('guard key_within_parent');
  });

  it('lets no key be widened, prolonged or brought back', async () => {
    const { apiKey } = await newAgentOf(market);
    const { id } = await addKeyBeside(market, apiKey, {
      scopes: ['read'],
      expiresAt: '2027-01-01T00:00:00.000Z',
      revokedAt: '2026-01-01T00:00:00.000Z',
    });
    for (const change of [
      'scopes = \'["all"]\'',
      'expires_at = NULL',
      "expires_at = '2028'",
      'revoked_at = NULL',
    ]) {
      const failure = DB.prepare(`UPDATE agent_keys SET ${change} WHERE id = ?`).bind(id).run();
      await expect(failure, change).rejects.toThrow('guard key_never_widens');
    }
    await DB.prepare("UPDATE agent_keys SET expires_at = '2026-06-02' WHERE id = ?").bind(id).run();
  });
});

describe('agents that were there before keys had a table', () => {
  it('keep their key, which may do everything, and the scope of their Idempotency-Keys', async () => {
    const { id } = await sales.listing({ priceCents: 300 });
    const buyers = [await sales.newAgent(), await sales.newAgent()];
    for (const buyer of buyers) await sales.fund(buyer, 1000);
    await DB.prepare(
      'UPDATE agents SET api_key_hash = (SELECT key_hash FROM agent_keys WHERE agent_id = agents.id AND parent_key_id IS NULL LIMIT 1)',
    ).run();
    const expected = await DB.prepare(
      'SELECT COUNT(*) AS n FROM agents WHERE api_key_hash IS NOT NULL',
    ).first('n');
    const { results: before } = await DB.prepare('SELECT id, api_key_hash, created_at FROM agents').all();
    // As it was: a purchase whose answer is stored under the hash of the key.
    const [first] = buyers;
    if (!first) throw new Error('no buyer');
    const bought = await sales.buy(id, first, { idempotencyKey: 'before' });

    const queries = TEST_MIGRATIONS.market
      .filter(({ name }) => name.includes('agent_keys'))
      .flatMap(({ queries }) => queries);
    await DB.batch(['TRIGGER agents_first_key', 'TABLE agent_keys'].map((one) => DB.prepare(`DROP ${one}`)));
    for (const sql of queries) await DB.prepare(sql).run();

    expect(await DB.prepare('SELECT COUNT(*) AS n FROM agent_keys').first('n')).toBe(expected);
    for (const agent of before) {
      const keys = await keysOf(String(agent.id));
      if (agent.api_key_hash === null) continue;
      expect(keys).toMatchObject([
        { key_hash: agent.api_key_hash, scopes: '["all"]', created_at: agent.created_at, revoked_at: null },
      ]);
      expect(String(keys[0]?.id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    for (const buyer of buyers) expect((await ownRecord(buyer.apiKey)).status).toBe(200);
    const again = await sales.buy(id, first, { idempotencyKey: 'before' });
    expect(again.body.id).toBe(bought.body.id);
    expect(await sales.balanceOf(first)).toBe(700);
    const scopes = await DB.prepare("SELECT scope FROM idempotency_keys WHERE key = 'before'").all<{
      scope: string;
    }>();
    expect(scopes.results).toEqual([{ scope: await sha256Hex(first.apiKey) }]);
  });

  it('and so does one that the version before registers while this one is deployed', async () => {
    const { id, apiKey } = await newAgentOf(market);
    const hash = await sha256Hex('mkt_live_old');
    await DB.prepare(
      `INSERT INTO agents (id, api_key_hash, name, handle, seller_label, buyer_label, created_at)
        VALUES ('00000000-0000-4000-8000-00000000feed', ?, 'Old', 'agent-0000feed', 's', 'b', '2026-06-01T00:00:00.000Z')`,
    )
      .bind(hash)
      .run();
    expect((await ownRecord('mkt_live_old')).status).toBe(200);
    expect((await keysOf(id)).length).toBe(1);
    expect((await ownRecord(apiKey)).status).toBe(200);
  });
});
