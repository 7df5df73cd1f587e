import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { refundSale } from '@agent-marketplace/core/sales/index.ts';
import { verifiedSellerOf } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFaultWorld } from './fault-world.ts';
import { breakEverywhere, type Scenario } from './scenarios.ts';

// What the card processor tells comes in any order, late and more than once, and the telling is cut off at every
// step: what it tells of ends the same.

const world = await createFaultWorld();
const ORDERS = 12;
const TIMES = 3;

const hear = async (rawBody: string) => {
  const { signatureHeader } = await world.cards.repeatWebhook(rawBody);
  await cardWebhook.take(world.market.newPorts(), rawBody, signatureHeader);
};
const heard = async () => (await world.cards.takeWebhooks()).map(({ rawBody }) => rawBody);

/** Something that people do, in steps between which the processor may tell of the steps before. */
interface Course {
  readonly steps: readonly (() => Promise<unknown>)[];
  /** All that is to be the same in the end. */
  end(): Promise<unknown>;
}

const agentEventsOf = async (agentId: string) => (await world.events(agentId)).map(({ type }) => type).sort();

async function purchaseEnd(purchaseId: string, agentId: string, listingId: string): Promise<unknown> {
  const { status } = (await world.purchases(listingId))[0] ?? {};
  const { captured_cents, refunded_cents, transferred_cents, fee_cents } = await world.payment(purchaseId);
  return {
    status,
    money: [captured_cents, refunded_cents, transferred_cents, fee_cents],
    events: await agentEventsOf(agentId),
    sold: await world.sold(listingId),
  };
}

/** The steps of a purchase know of each other by what they left here. */
async function checkout() {
  const { id } = await world.listing();
  const buyer = await world.newBuyer('checkout');
  const { body } = await world.buy(id, buyer, { body: { payment_method: 'checkout' } });
  return { listingId: id, buyer, purchaseId: body.id, sessionId: sessionOf(body.checkoutUrl) };
}

const paymentOf = (reference: string) =>
  world.cards.payments.find((one) => one.reference?.id === reference)?.paymentId ?? '';
const lastDispute = () => world.cards.disputes.at(-1)?.disputeId ?? '';

function chargebackEnd(disputeId: string): Promise<unknown> {
  return world.rows(
    'SELECT status, withdrawn_cents, covered_cents, settled_at IS NOT NULL AS settled FROM chargebacks WHERE dispute_id = ?',
    disputeId,
  );
}

async function disputedSale(outcome: 'won' | 'lost'): Promise<Course> {
  const { listingId, buyer, purchaseId, sessionId } = await checkout();
  let disputeId = '';
  return {
    steps: [
      async () => world.cards.payCheckout(sessionId),
      () => world.read(purchaseId, buyer),
      async () => {
        disputeId = world.cards.disputePayment(paymentOf(purchaseId));
      },
      async () => world.cards.closeDispute(disputeId, outcome),
    ],
    end: async () => [await purchaseEnd(purchaseId, buyer.id, listingId), await chargebackEnd(disputeId)],
  };
}

async function disputedTopUp(outcome: 'won' | 'lost'): Promise<Course> {
  const agent = await world.newAgent();
  const { body } = await world.request('POST', '/wallet/fund', agent.apiKey, { amount_cents: 2000 });
  return {
    steps: [
      async () => world.cards.payCheckout(sessionOf(body.checkoutUrl), 'disputed'),
      async () => world.cards.closeDispute(lastDispute(), outcome),
    ],
    end: async () => [await world.balanceOf(agent), await chargebackEnd(lastDispute())],
  };
}

const COURSES: Record<string, () => Promise<Course>> = {
  'a purchase by checkout': async () => {
    const { listingId, buyer, purchaseId, sessionId } = await checkout();
    return {
      steps: [async () => world.cards.payCheckout(sessionId), () => world.read(purchaseId, buyer)],
      end: () => purchaseEnd(purchaseId, buyer.id, listingId),
    };
  },
  'a purchase by checkout that is refunded': async () => {
    const { listingId, buyer, purchaseId, sessionId } = await checkout();
    return {
      steps: [
        async () => world.cards.payCheckout(sessionId),
        () => world.read(purchaseId, buyer),
        () => refundSale(world.market.newPorts(), purchaseId, 'test'),
      ],
      end: () => purchaseEnd(purchaseId, buyer.id, listingId),
    };
  },
  'a checkout that nobody pays': async () => {
    const { listingId, buyer, purchaseId } = await checkout();
    return {
      steps: [async () => world.market.clock.advance(3600_001), () => world.read(purchaseId, buyer)],
      end: () => purchaseEnd(purchaseId, buyer.id, listingId),
    };
  },
  'a purchase with a saved card that is refunded': async () => {
    const { id } = await world.listing();
    const buyer = await world.newBuyer('card');
    let purchaseId = '';
    return {
      steps: [
        async () => {
          purchaseId = (await world.buy(id, buyer, { body: { payment_method: 'card' } })).body.id;
        },
        () => refundSale(world.market.newPorts(), purchaseId, 'test'),
      ],
      end: () => purchaseEnd(purchaseId, buyer.id, id),
    };
  },
  'a top-up': async () => {
    const agent = await world.newAgent();
    const { body } = await world.request('POST', '/wallet/fund', agent.apiKey, { amount_cents: 2000 });
    return {
      steps: [async () => world.cards.payCheckout(sessionOf(body.checkoutUrl))],
      end: async () => [await world.balanceOf(agent), await agentEventsOf(agent.id)],
    };
  },
  'a sale that the bank takes back': () => disputedSale('lost'),
  'a sale that the bank leaves after all': () => disputedSale('won'),
  'a top-up that the bank takes back': () => disputedTopUp('lost'),
  'a top-up that the bank leaves after all': () => disputedTopUp('won'),
  'a saved card': async () => {
    const agent = await world.newAgent();
    const { body } = await world.request('POST', '/wallet/payment-method', agent.apiKey, {});
    const { setupUrl } = body as unknown as { setupUrl: string };
    return {
      steps: [async () => world.cards.saveCard(sessionOf(setupUrl))],
      end: async () => (await world.request('GET', '/wallet/balance', agent.apiKey)).body,
    };
  },
  "a seller's account": async () => {
    const seller = await verifiedSellerOf(world.market);
    const listing = await world.listing({}, seller);
    const accountId = await world.connect(seller);
    return {
      steps: [
        async () => world.cards.onboard(accountId, 'pending'),
        async () => world.cards.onboard(accountId),
        async () => world.cards.onboard(accountId, 'pending'),
        async () => world.cards.onboard(accountId),
      ],
      end: () =>
        world.rows(
          // Which of its restrictions was seen depends on when it was looked at; each that was is told to be over, and listings went live again.
          `SELECT payouts, status,
              (SELECT COUNT(DISTINCT type) FROM seller_notifications WHERE seller_id = agent_id AND type NOT GLOB 'payout.account_*') AS told,
              (SELECT TOTAL((type = 'payout.account_restricted') - (type = 'payout.account_restored'))
                FROM seller_notifications WHERE seller_id = agent_id) AS restrictions
            FROM sellers JOIN listings ON seller_id = agent_id WHERE listings.id = ?`,
          listing.id,
        ),
    };
  },
};

/** Does the steps, and has each report come when it is its turn: so many steps after what it tells of. */
async function run({ steps, end }: Course, delays: (report: number) => { after: number; place: number }) {
  await heard();
  const waiting: { rawBody: string; due: number; place: number }[] = [];
  let reports = 0;
  const tell = async (step: number) => {
    for (const rawBody of await heard()) {
      for (let time = 0; time < TIMES; time += 1) {
        const { after, place } = delays(reports++);
        waiting.push({ rawBody, due: step + after, place });
      }
    }
    const now = waiting.filter(({ due }) => due <= step).sort((a, b) => a.place - b.place);
    for (const one of now) {
      waiting.splice(waiting.indexOf(one), 1);
      await hear(one.rawBody);
    }
  };
  for (const [index, step] of steps.entries()) {
    await step();
    await tell(index);
  }
  for (let late = 0; waiting.length > 0; late += 1) await tell(steps.length + late);
  await world.expectAllWell();
  // What comes when all is over changes nothing either.
  const ended = await end();
  for (const rawBody of new Set(await heard())) await hear(rawBody);
  expect(await end()).toEqual(ended);
  return ended;
}

const anyDelays = fc.infiniteStream(
  fc.record({ after: fc.nat({ max: 4 }), place: fc.integer({ min: 0, max: 1000 }) }),
);

describe('Card webhooks in any order, each three times: the same final state', () => {
  it.each(Object.entries(COURSES))('%s', { timeout: 60_000 }, async (_, begin) => {
    const inOrder = await run(await begin(), (report) => ({ after: 0, place: report }));
    await fc.assert(
      fc.asyncProperty(anyDelays, async (stream) => {
        const delays = [...stream.take(64)];
        const place = (report: number) => delays[report] ?? { after: 0, place: report };
        expect(await run(await begin(), place)).toEqual(inOrder);
      }),
      { numRuns: ORDERS },
    );
  });

  it('and where none comes at all', async () => {
    for (const name of ['a purchase by checkout', 'a checkout that nobody pays', 'a top-up']) {
      const begin = COURSES[name] as () => Promise<Course>;
      const told = await run(await begin(), (report) => ({ after: 0, place: report }));
      const { steps, end } = await begin();
      for (const step of steps) await step();
      await heard();
      await world.expectAllWell();
      expect(await end(), name).toEqual(told);
    }
  });
});

describe('A card webhook that is cut off is sent again: the same final state', async () => {
  interface Told {
    readonly reports: readonly string[];
    end(): Promise<unknown>;
  }
  const endings: Record<string, unknown> = {
    'a top-up': [2000, []],
    'a saved card': { savedCard: { last4: '4242' } },
    "a seller's account": [{ payouts: 'connected', status: 'active', told: 1, restrictions: 0 }],
    'a purchase by checkout': { status: 'released', sold: 1 },
  };
  for (const [name, ended] of Object.entries(endings)) {
    const telling: Scenario<Told> = {
      name: `the reports of ${name}`,
      async prepare() {
        const { steps, end } = await (COURSES[name] as () => Promise<Course>)();
        await heard();
        // All but collecting it, which the buyer is told to do.
        await steps[0]?.();
        if (steps.length > 2) for (const step of steps.slice(1)) await step();
        return { reports: await heard(), end };
      },
      async act({ reports }) {
        for (const rawBody of reports) await hear(rawBody).catch(() => {});
      },
      async comeBack({ reports }) {
        for (const rawBody of reports) await hear(rawBody);
      },
      expectEnd: async ({ end }) => expect(await end()).toMatchObject(ended as object),
    };
    await breakEverywhere(world, telling);
  }
});
