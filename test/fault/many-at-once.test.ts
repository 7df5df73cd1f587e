import { describe, expect, it } from 'vitest';
import { createFaultWorld, METHODS, THE_CONTENT } from './fault-world.ts';

// Requests that come at the same time. What comes in between two steps of one is in broken-purchases.test.ts.

const world = await createFaultWorld();

describe("100 buyers' requests at once on funds for 3", () => {
  it('exactly 3 succeed; the balance is never below 0', async () => {
    const { id } = await world.listing({ priceCents: 10_000 });
    const buyer = await world.newBuyer('wallet', 35_000);
    const body = { payment_method: 'wallet' };
    const answers = await Promise.all(Array.from({ length: 100 }, () => world.buy(id, buyer, { body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, body: refused } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, refused.code, refused.charged]).toEqual([402, 'wallet_insufficient', false]);
    }
    expect(await world.balanceOf(buyer)).toBe(5000);
    await world.expectAllWell();
  });

  it('as many top-ups as the cap has room for; the balance is never above it', async () => {
    const agent = await world.newAgent();
    const fund = () => world.request('POST', '/wallet/fund', agent.apiKey, { amount_cents: 15_000 });
    const answers = await Promise.all(Array.from({ length: 100 }, fund));
    // Older pages that nobody paid give way: some of those that were opened cannot be paid any more.
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const { body } = await world.request('GET', '/wallet/balance', agent.apiKey);
    const { openTopUps } = body as unknown as { openTopUps: { checkoutUrl: string }[] };
    expect(openTopUps).toHaveLength(3);
    await Promise.all(openTopUps.map(({ checkoutUrl }) => world.payTopUp(checkoutUrl)));
    expect(await world.balanceOf(agent)).toBe(45_000);
    await world.expectAllWell();
  });
});

describe('maxCopies = n never settles n+1; an exclusive listing settles once', () => {
  it.each([
    [{ listingType: 'limited', maxCopies: 3 }, 3],
    [{ listingType: 'limited', maxCopies: 1 }, 1],
    [{ listingType: 'exclusive' }, 1],
  ])('%j: %i', async (fields, copies) => {
    const { id } = await world.listing(fields);
    const methods = Array.from({ length: 8 }, (_, index) => METHODS[index % METHODS.length] ?? '');
    const buyers = await Promise.all(methods.map((method) => world.newBuyer(method)));
    const answers = await Promise.all(
      buyers.map((buyer, index) => world.buy(id, buyer, { body: { payment_method: methods[index] } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(copies);
    for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.code).toBe('sold_out');
    expect(await world.sold(id)).toBe(copies);
    await world.expectAllWell();
  });
});

describe('The same Idempotency-Key gives the same answer and never a second effect', () => {
  it.each(METHODS)('ten purchases by %s at once', async (method) => {
    const { id } = await world.listing();
    const buyer = await world.newBuyer(method, 9000);
    const options = { body: { payment_method: method }, idempotencyKey: crypto.randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.buy(id, buyer, options)));
    const [first, ...others] = answers.filter(({ status }) => status === 200);
    expect(first?.body).toMatchObject({ status: 'held', content: THE_CONTENT });
    for (const { body } of others) expect(body).toEqual(first?.body);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      // The first may still charge it: nothing is said of that.
      expect([status, body.code, body.charged]).toEqual([409, 'idempotency_in_flight', undefined]);
    }
    expect((await world.buy(id, buyer, options)).body).toEqual(first?.body);
    const other = await world.buy(id, buyer, { ...options, body: { ...options.body, query: { other: 1 } } });
    expect(other.status).toBe(422);
    expect(await world.sold(id)).toBe(1);
    if (method === 'wallet') expect(await world.balanceOf(buyer)).toBe(6000);
    await world.expectAllWell();
  });
});
