import { keysOf, madeKey } from '@agent-marketplace/core/testing/fixtures/agent-keys.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { describe, expect, it } from 'vitest';
import { answersOf, breaksOf, Line } from './await-points.ts';

// An agent that replaces its key is never left without one, and never with two that took the same place.

const sales = createSalesMarketplace();
const { market } = sales;
const line = new Line(market, sales.cards);
const keys = keysOf(market);

async function newAgent() {
  const { apiKey, id } = await sales.newAgent({
    name: 'Ada',
    email: 'ada@example.com',
    callbackUrl: 'https://agent.example.com/events',
  });
  return { apiKey, id, keyId: await keys.idOf(apiKey) };
}
type Agent = Awaited<ReturnType<typeof newAgent>>;

const successorsOf = async ({ id, keyId }: Agent) =>
  (await keys.rows(id)).filter(({ replaces_key_id }) => replaces_key_id === keyId);

/** What a client does that does not know what became of its request. */
async function findWayIn(agent: Agent): Promise<string> {
  const [successor] = await successorsOf(agent);
  return madeKey(await keys.rotate(agent.apiKey, successor?.id ?? agent.keyId)).apiKey;
}

const POINTS = await (async () => {
  const agent = await newAgent();
  return line.watch(() => keys.rotate(agent.apiKey, agent.keyId));
})();

describe('a rotation that is cut off', () => {
  it('has points at which it can be', () => {
    expect(POINTS.length).toBeGreaterThanOrEqual(3);
    expect(POINTS.filter((point) => point.includes('insert agent_keys'))).toHaveLength(1);
  });

  it.each(breaksOf(POINTS, ['once', 'twice', 'for_good']).map((one) => [one.title, one] as const))(
    '%s',
    async (_, broken) => {
      const agent = await newAgent();
      let answer: Awaited<ReturnType<typeof keys.rotate>> | null = null;
      await line.watch(async () => {
        answer = await keys.rotate(agent.apiKey, agent.keyId).catch(() => null);
      }, answersOf(broken));
      expect((await successorsOf(agent)).length).toBeLessThanOrEqual(1);
      const { status, body } = answer ?? { status: 0, body: {} as Record<string, unknown> };
      const isMade = status === 201;
      const next = isMade ? String(body.apiKey) : await findWayIn(agent);
      expect((await keys.own(next)).body.id).toBe(agent.id);
      expect((await successorsOf(agent)).length).toBe(1);
      market.clock.advance(3_600_001);
      expect((await keys.own(agent.apiKey)).body.code).toBe('api_key_expired');
      expect((await keys.own(next)).status).toBe(200);
    },
  );
});

it('of 20 at once, one gives a successor, and the others say that there is one', async () => {
  const agent = await newAgent();
  const answers = await Promise.all(Array.from({ length: 20 }, () => keys.rotate(agent.apiKey, agent.keyId)));
  const codes = answers.map(({ status, body }) => body.code ?? status).sort();
  expect(codes).toEqual([201, ...Array.from({ length: 19 }, () => 'key_already_rotated')]);
  expect(await successorsOf(agent)).toHaveLength(1);
});

it('a key that is made while its parent is rotated or revoked never outlives it', async () => {
  for (const change of ['rotate', 'revoke'] as const) {
    const agent = await newAgent();
    const parent = await keys.make(agent.apiKey, ['manage', 'read']);
    const [, ...made] = await Promise.all([
      keys[change](agent.apiKey, parent.id),
      ...Array.from({ length: 10 }, () => keys.create(parent.apiKey)),
    ]);
    for (const { status, body } of made)
      expect([201, 'key_changed', 'api_key_revoked']).toContain(body.code ?? status);
    market.clock.advance(3_600_001);
    const rows = await keys.rows(agent.id);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const isLive = (row: (typeof rows)[number] | undefined) =>
      row?.revoked_at === null &&
      (row.expires_at === null || Date.parse(row.expires_at) > market.clock.now());
    for (const row of rows.filter((one) => one.parent_key_id !== null && isLive(one)))
      expect(isLive(byId.get(String(row.parent_key_id)))).toBe(true);
  }
});
