import { describe, expect } from 'vitest';
import { createFaultWorld, METHODS, PRICE, THE_CONTENT } from './fault-world.ts';
import { breakEverywhere, type Intruder, interruptEverywhere, type Scenario } from './scenarios.ts';

// Every step of a purchase that is paid for at once is cut off, before and after it took effect; then the buyer
// comes back with the same Idempotency-Key, and the jobs run.

const world = await createFaultWorld();
const MINUTE_MS = 60_000;

interface Buying {
  readonly id: string;
  readonly ask: () => ReturnType<typeof world.buy>;
  readonly otherBody: () => ReturnType<typeof world.buy>;
}

const buying = (method: string, fields: object = {}, status = 'held'): Scenario<Buying> => ({
  name: `a purchase by ${method}`,
  async prepare() {
    const { id } = await world.listing({ listingType: 'limited', maxCopies: 2, ...fields });
    const buyer = await world.newBuyer(method);
    const body = { payment_method: method };
    const idempotencyKey = crypto.randomUUID();
    return {
      id,
      ask: () => world.buy(id, buyer, { body, idempotencyKey }),
      otherBody: () => world.buy(id, buyer, { body: { ...body, query: { other: 1 } }, idempotencyKey }),
    };
  },
  act: ({ ask }) => ask(),
  async comeBack({ ask, otherBody }) {
    const answer = await world.untilAnswered(ask);
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ status, content: THE_CONTENT });
    expect((await ask()).body).toMatchObject({ id: answer.body.id, content: THE_CONTENT });
    expect((await otherBody()).status).toBe(422);
  },
  async expectEnd({ id }) {
    const statuses = (await world.purchases(id)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'released')).toHaveLength(1);
    expect(await world.sold(id)).toBe(1);
  },
});

const buyingForFree: Scenario<Buying> = {
  ...buying('auto', { priceCents: 0 }, 'released'),
  name: 'a purchase that is free',
};

describe('A reply lost after a commit, then a retry: one debit, one delivery record', async () => {
  await breakEverywhere(world, buyingForFree);
  for (const method of METHODS) await breakEverywhere(world, buying(method));
});

describe('A crash between delivery and capture ends captured and revealed, or released and not revealed', async () => {
  for (const method of METHODS) {
    const nobodyComesBack: Scenario<Buying> = {
      ...buying(method),
      name: `a purchase by ${method} that nobody asks for again`,
      lasting: ['for_good'],
      comeBack: async () => {},
      expectEnd: async ({ id }) => {
        for (const { status } of await world.purchases(id))
          expect(status).toMatch(/^(released|refunded|failed|expired)$/);
      },
    };
    await breakEverywhere(world, nobodyComesBack);
    const minutePasses: Intruder<Buying> = {
      name: 'its minute passes and the jobs run',
      async come() {
        world.market.clock.advance(2 * MINUTE_MS);
        await world.everyMinute();
      },
    };
    await interruptEverywhere(world, nobodyComesBack, minutePasses);
    if (method !== 'card') continue;
    for (const fault of ['lose_request', 'lose_reply'] as const) {
      await interruptEverywhere(world, nobodyComesBack, {
        ...minutePasses,
        name: `${minutePasses.name}, whose cancelling is lost (${fault})`,
        fault: (call) => (call === 'card processor: cancel' ? fault : undefined),
      });
    }
  }
});

describe('The same Idempotency-Key never has a second effect: in flight it is 409', async () => {
  for (const method of METHODS) {
    const answers: number[] = [];
    await interruptEverywhere(world, buying(method), {
      name: 'the buyer asks for it again',
      async come({ ask }) {
        answers.push((await ask()).status);
        expect(answers.at(-1)).toSatisfy((status: number) => status === 200 || status === 409);
      },
    });
  }
});

describe('An exclusive listing settles once', async () => {
  interface Race {
    readonly id: string;
    readonly first: () => ReturnType<typeof world.buy>;
    readonly second: () => ReturnType<typeof world.buy>;
  }
  const race: Scenario<Race> = {
    name: 'a purchase of an exclusive listing',
    async prepare() {
      const { id } = await world.listing({ listingType: 'exclusive' });
      const [one, other] = [await world.newBuyer('wallet'), await world.newBuyer('card')];
      return {
        id,
        first: () => world.buy(id, one, { body: { payment_method: 'wallet' } }),
        second: () => world.buy(id, other, { body: { payment_method: 'card' } }),
      };
    },
    act: ({ first }) => first(),
    async expectEnd({ id }) {
      const settled = (await world.purchases(id)).filter(({ status }) => status === 'released');
      expect(settled.length).toBeLessThanOrEqual(1);
      expect(await world.sold(id)).toBe(settled.length);
    },
  };
  await interruptEverywhere(world, race, {
    name: 'somebody else buys it',
    async come({ second }) {
      const { status, body } = await second();
      expect(status === 200 ? body.status : body.code).toMatch(/^(held|sold_out|listing_not_active)$/);
    },
  });
});

describe('The balance is never below 0: funds for one purchase pay for one', async () => {
  interface Two {
    readonly buyFirst: () => ReturnType<typeof world.buy>;
    readonly buySecond: () => ReturnType<typeof world.buy>;
    readonly ids: readonly string[];
  }
  const two: Scenario<Two> = {
    name: 'a purchase by wallet',
    async prepare() {
      const ids = [(await world.listing()).id, (await world.listing()).id];
      const buyer = await world.newBuyer('wallet', 2 * PRICE - 1);
      const [buyFirst, buySecond] = ids.map(
        (id) => () => world.buy(id, buyer, { body: { payment_method: 'wallet' } }),
      ) as [Two['buyFirst'], Two['buySecond']];
      return { buyFirst, buySecond, ids };
    },
    act: ({ buyFirst }) => buyFirst(),
    async expectEnd({ ids }) {
      const made = (await Promise.all(ids.map((id) => world.purchases(id)))).flat();
      expect(made.filter(({ status }) => status === 'released').length).toBeLessThanOrEqual(1);
    },
  };
  await interruptEverywhere(world, two, {
    name: 'the same wallet pays for another',
    come: ({ buySecond }) => buySecond(),
  });
});
