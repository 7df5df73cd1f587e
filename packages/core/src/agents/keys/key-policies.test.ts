import { describe, expect, it } from 'vitest';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();

type Answer = { status: number; body: Record<string, unknown> };
const request = (...args: Parameters<typeof sales.request>) =>
  sales.request(...args) as unknown as Promise<Answer>;

interface Key {
  readonly id: string;
  readonly apiKey: string;
}

async function keyBelow(apiKey: string, scopes = ['all']): Promise<Key> {
  const { status, body } = await request('POST', '/agents/me/keys', apiKey, { label: 'Below', scopes });
  expect(status, JSON.stringify(body)).toBe(201);
  return { id: (body.key as { id: string }).id, apiKey: String(body.apiKey) };
}

const setPolicy = (by: string, key: Key, limits: object) =>
  request('PATCH', `/agents/me/keys/${key.id}/policy`, by, limits);
const budgetOf = (by: string, key: Key) => request('GET', `/agents/me/keys/${key.id}/budget`, by);
const buy = async (apiKey: string, priceCents: number) => {
  const { id } = await sales.listing({ priceCents });
  const answer = await request('POST', `/marketplace/listings/${id}/purchase`, apiKey, {
    payment_method: 'wallet',
  });
  return answer.status === 200 ? 'bought' : String(answer.body.code);
};

async function company() {
  const agent = await sales.newAgent();
  await sales.fund(agent, 20_000);
  return agent;
}

describe('a policy', () => {
  it('is set by the key above, holds at once, and is seen by the key itself', async () => {
    const { apiKey } = await company();
    const key = await keyBelow(apiKey, ['read', 'buy']);
    expect((await budgetOf(key.apiKey, key)).body).toMatchObject({ policy: null, policyId: null });
    const set = await setPolicy(apiKey, key, { perWeekCents: 1000 });
    expect(set).toMatchObject({ status: 200, body: { policy: { perWeekCents: 1000, perDayCents: null } } });
    expect(await buy(key.apiKey, 600)).toBe('bought');
    expect(await buy(key.apiKey, 600)).toBe('budget_exceeded');
    expect(await buy(apiKey, 600)).toBe('bought');
    expect((await budgetOf(key.apiKey, key)).body.windows).toMatchObject([
      { period: 'day', leftCents: null, spentCents: 600, limitCents: null },
      { period: 'week', leftCents: 400, spentCents: 600, limitCents: 1000, startsOn: '2026-06-01' },
      { period: 'month', leftCents: null },
      { period: 'total', leftCents: null, endsAt: null, startsOn: null },
    ]);
    await sales.audit();
  });

  it('keeps its key from what belongs to the whole account, whatever its scope', async () => {
    const { apiKey } = await company();
    const key = await keyBelow(apiKey);
    await setPolicy(apiKey, key, { totalCents: 100 });
    const wishes = [
      request('DELETE', '/agents/me?giveUpBalance=true', key.apiKey),
      request('PATCH', '/agents/me', key.apiKey, { email: 'someone@example.com' }),
    ];
    for (const { status, body } of await Promise.all(wishes))
      expect([status, body.code]).toEqual([403, 'scope_missing']);
    expect((await request('PATCH', '/agents/me', apiKey, { email: 'someone@example.com' })).status).toBe(200);
  });

  it('is never changed by the key itself, and only tightened by one that has limits', async () => {
    const { apiKey } = await company();
    const middle = await keyBelow(apiKey);
    await setPolicy(apiKey, middle, { perDayCents: 1000 });
    const low = await keyBelow(middle.apiKey);
    for (const key of [middle, low]) {
      const own = await setPolicy(key.apiKey, key, { perDayCents: 5000 });
      expect([own.status, own.body.code]).toEqual([403, 'own_limits']);
      expect((await setPolicy(low.apiKey, middle, { perDayCents: null })).status).toBe(403);
    }
    expect((await setPolicy(middle.apiKey, low, { perDayCents: 1001 })).status).toBe(400);
    expect((await setPolicy(middle.apiKey, low, { perDayCents: 300 })).status).toBe(200);
    for (const limits of [{ perDayCents: 400 }, { perDayCents: null }])
      expect((await setPolicy(middle.apiKey, low, limits)).body.code).toBe('policy_would_loosen');
    expect((await setPolicy(middle.apiKey, low, { perDayCents: 200 })).status).toBe(200);
    expect((await setPolicy(apiKey, low, { perDayCents: 400 })).status).toBe(200);
    expect((await setPolicy(apiKey, low, { perDayCents: 1001 })).status).toBe(400);
  });

  it('is no fresh allowance: children and what is rotated draw on the same windows', async () => {
    const { apiKey } = await company();
    const key = await keyBelow(apiKey);
    await setPolicy(apiKey, key, { totalCents: 1000 });
    const child = await keyBelow(key.apiKey);
    await setPolicy(key.apiKey, child, { perDayCents: 900 });
    expect(await buy(child.apiKey, 600)).toBe('bought');
    expect(await buy(key.apiKey, 600)).toBe('budget_exceeded');
    const rotated = await request('POST', `/agents/me/keys/${key.id}/rotate`, key.apiKey, {});
    expect(await buy(String(rotated.body.apiKey), 600)).toBe('budget_exceeded');
    expect(await buy(String(rotated.body.apiKey), 400)).toBe('bought');
    expect(await buy(child.apiKey, 1)).toBe('budget_exceeded');
    await sales.audit();
  });

  it.each([
    [{ perDayCents: -1 }],
    [{ perDayCents: 1.5 }],
    [{ totalCents: 1e15 }],
    [{ perDayCents: 500, perWeekCents: 400 }],
    [{ perPurchaseCents: 500, totalCents: 400 }],
    [{ perPurchaseCents: 500, approvalAboveCents: 600 }],
    [{ sellers: [] }],
    [{ sellers: ['somebody'] }],
    [{ rails: ['Wallet!'] }],
    [{ perYearCents: 1 }],
    [{ perDayCents: 500, approvalAboveCents: 600 }],
    [{ rails: ['wallet', 'wallet'] }],
  ])('%j is refused, and changes nothing', async (limits) => {
    const { apiKey } = await company();
    const key = await keyBelow(apiKey);
    expect((await setPolicy(apiKey, key, limits)).status).toBe(400);
    expect((await budgetOf(apiKey, key)).body).toMatchObject({ policyId: null });
  });

  it.each([
    [{ verticals: ['wether-enviroment'] }, 'verticals.0', 'weather-environment'],
    [{ rails: ['walet', 'card'] }, 'rails.0', 'wallet'],
  ])('%j names what nobody knows: the closest names are told', async (limits, path, closest) => {
    const { apiKey } = await company();
    const key = await keyBelow(apiKey);
    const made = { label: 'Bounded', scopes: ['buy'], policy: limits };
    for (const { status, body } of [
      await setPolicy(apiKey, key, limits),
      await request('POST', '/agents/me/keys', apiKey, made),
    ]) {
      const [fault] = body.errors as { path: string; message: string }[];
      expect([status, fault?.path.endsWith(path)]).toEqual([400, true]);
      expect(fault?.message).toContain(`\`${closest}\``);
    }
    expect(((await request('GET', '/agents/me/keys', apiKey)).body.keys as object[]).length).toBe(2);
  });

  it('names sellers that there are, or says which there are not', async () => {
    const { apiKey, id } = await company();
    const key = await keyBelow(apiKey);
    const seller = await sales.seller();
    const nobody = crypto.randomUUID();
    for (const unknown of [nobody, id]) {
      const limits = { sellers: [seller.id, unknown] };
      const made = { label: 'Bounded', scopes: ['buy'], policy: limits };
      for (const { status, body } of [
        await setPolicy(apiKey, key, limits),
        await request('POST', '/agents/me/keys', apiKey, made),
      ]) {
        const [fault, ...others] = body.errors as { path: string; message: string }[];
        expect([status, others]).toEqual([400, []]);
        expect(fault?.path).toMatch(/sellers\.1$/);
        expect(fault?.message).toContain('No seller has this id');
      }
    }
    const set = await setPolicy(apiKey, key, { sellers: [seller.id.toUpperCase()] });
    expect([set.status, set.body.policy]).toMatchObject([200, { sellers: [seller.id] }]);
    expect((await setPolicy(apiKey, key, { sellers: ['seller-1a2b3c'] })).status).toBe(400);
  });

  it('is made with its key, in one step, below the policy of the key that makes it', async () => {
    const { apiKey } = await company();
    const make = (by: string, policy: object) =>
      request('POST', '/agents/me/keys', by, { label: 'Bounded', scopes: ['all'], policy });
    const made = await make(apiKey, { perWeekCents: 1000 });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const key = { id: (made.body.key as { id: string }).id, apiKey: String(made.body.apiKey) };
    expect((await budgetOf(apiKey, key)).body).toMatchObject({
      policyId: (made.body.key as { policyId: string }).policyId,
      policy: { perWeekCents: 1000, perDayCents: null },
    });
    for (const policy of [{ perWeekCents: 1001 }, { perDayCents: -1 }, { perDayCents: 5, perWeekCents: 4 }])
      expect((await make(key.apiKey, policy)).status).toBe(400);
    const low = await make(key.apiKey, { perWeekCents: 400 });
    expect(low.status).toBe(201);
    expect(await buy(String(low.body.apiKey), 500)).toBe('budget_exceeded');
    expect(await buy(String(low.body.apiKey), 300)).toBe('bought');
    expect(await buy(key.apiKey, 701)).toBe('budget_exceeded');
    expect(await buy(key.apiKey, 700)).toBe('bought');
    // A key whose children have policies gets none of its own any more: those would not be below it.
    const parent = await keyBelow(apiKey);
    await make(parent.apiKey, { totalCents: 100 });
    expect((await setPolicy(apiKey, parent, { totalCents: 50 })).body.code).toBe('keys_below_are_bounded');
    await sales.audit();
  });

  it('is not another agent’s to set or to see', async () => {
    const [one, other] = [await company(), await company()];
    const key = await keyBelow(one.apiKey);
    expect((await setPolicy(other.apiKey, key, { perDayCents: 1 })).status).toBe(404);
    expect((await budgetOf(other.apiKey, key)).status).toBe(404);
  });
});
