import { runEveryMinute, runWakeUp } from '@agent-marketplace/core/compose/jobs.ts';
import { reportCheckout } from '@agent-marketplace/core/sales/index.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { describe, expect, it } from 'vitest';
import { createFaultWorld, HOLD_MS } from './fault-world.ts';
import { breakEverywhere, interruptEverywhere, type Scenario } from './scenarios.ts';

// A queue's message is a wake-up and the row in the database is the truth: however often, late or early it comes,
// or not at all, what it is about happens once.

const world = await createFaultWorld();
const DAY_MS = 24 * 3600_000;

const wakeUp = () => runWakeUp(world.market.newPorts());
const minute = () => runEveryMinute(world.market.newPorts());
const settled = () => world.market.background.settled();

/** What comes of the messages that something sends: `happen` is when they are sent. */
const ARRIVALS: Record<string, (happen: () => Promise<unknown>) => Promise<void>> = {
  async 'once and at once'(happen) {
    await happen();
    await wakeUp();
  },
  async 'five times, one after the other'(happen) {
    await happen();
    for (let time = 0; time < 5; time += 1) await wakeUp();
  },
  async 'five times at once'(happen) {
    await happen();
    await Promise.all(Array.from({ length: 5 }, wakeUp));
  },
  async 'a day late'(happen) {
    await happen();
    world.market.clock.advance(DAY_MS);
    await wakeUp();
  },
  async 'before what it is about, and never again'(happen) {
    await wakeUp();
    await happen();
  },
  async 'while it happens'(happen) {
    await Promise.all([happen(), wakeUp(), wakeUp()]);
  },
  async 'together with the job that makes up for lost ones'(happen) {
    await happen();
    await Promise.all([wakeUp(), minute(), wakeUp(), minute()]);
  },
  async never(happen) {
    await happen();
  },
};

interface Subject {
  readonly happen: () => Promise<unknown>;
  readonly purchaseId: string;
  readonly agents: readonly RegisteredAgent[];
  readonly expected: readonly string[];
}

/** An event that is sent again after a push that was cut off comes without the content. */
function withoutContent(body: string): string {
  const { data, ...message } = JSON.parse(body);
  const { content, contentDigest, receipt, ...rest } = data;
  return JSON.stringify({ ...message, data: rest });
}

/** The reports of events that reached their agents, by id. */
function received(agents: readonly RegisteredAgent[], purchaseId: string): string[] {
  const messages = new Map<string, string>();
  for (const { body } of world.market.sellerEndpoint.requests) {
    const message = JSON.parse(body) as { id?: string; type: string; data?: { purchaseId?: string } };
    if (message.id === undefined || message.data?.purchaseId !== purchaseId) continue;
    const same = withoutContent(body);
    expect(messages.get(message.id) ?? same, 'the same event').toBe(same);
    messages.set(message.id, same);
  }
  expect(agents.length).toBeGreaterThan(0);
  return [...messages.values()].map((body) => (JSON.parse(body) as { type: string }).type).sort();
}

async function paidCheckout() {
  const { id } = await world.listing();
  const buyer = await world.newBuyer('checkout');
  const { body } = await world.buy(id, buyer, { body: { payment_method: 'checkout' } });
  const sessionId = sessionOf(body.checkoutUrl);
  world.cards.payCheckout(sessionId);
  return { purchaseId: body.id, sessionId, buyer };
}

const SUBJECTS: Record<string, () => Promise<Subject>> = {
  'an event for an agent': async () => {
    const { id } = await world.listing();
    const buyer = await world.newBuyer('wallet');
    const idempotencyKey = crypto.randomUUID();
    const state = { purchaseId: '' };
    return {
      async happen() {
        state.purchaseId = (await world.buy(id, buyer, { idempotencyKey })).body.id;
        await settled();
      },
      get purchaseId() {
        return state.purchaseId;
      },
      agents: [world.seller],
      expected: ['sale.held', 'sale.released'],
    };
  },
  'a delivery that is pushed to its buyer': async () => {
    const { purchaseId, sessionId, buyer } = await paidCheckout();
    return {
      async happen() {
        await reportCheckout(world.market.newPorts(), { sessionId });
        await settled();
      },
      purchaseId,
      agents: [world.seller, buyer],
      expected: ['purchase.authorized', 'purchase.delivered', 'sale.held', 'sale.released'],
    };
  },
  'a payout': async () => {
    const { purchaseId } = await world.newSale('card');
    return {
      happen: async () => world.market.clock.advance(HOLD_MS),
      purchaseId,
      agents: [world.seller],
      expected: ['sale.held', 'sale.released'],
    };
  },
};

describe('A queue message delivered five times, late, reordered or lost: one logical event', () => {
  const all = Object.keys(SUBJECTS).flatMap((subject) =>
    Object.keys(ARRIVALS).map((arrival) => ({ subject, arrival })),
  );
  it.each(all)('$subject: it comes $arrival', async ({ subject, arrival }) => {
    world.market.sellerEndpoint.requests.length = 0;
    const about = await (SUBJECTS[subject] as () => Promise<Subject>)();
    await ARRIVALS[arrival]?.(about.happen);
    await world.expectAllWell();
    const { purchaseId, agents, expected } = about;
    expect(await world.statusOf(purchaseId)).toBe('released');
    expect(received(agents, purchaseId)).toEqual(expected);
    expect(world.cards.transfers.filter((one) => one.purchaseId === purchaseId)).toHaveLength(1);
  });
});

describe('A consumer of the queue that is cut off: one logical event', async () => {
  const pushing: Scenario<{ purchaseId: string }> = {
    name: 'a wake-up pushes content and tells of it',
    async prepare() {
      const { purchaseId, sessionId } = await paidCheckout();
      await reportCheckout(world.market.newPorts(), { sessionId });
      await settled();
      // A callback that answered once is no longer counted by the day: the calls would not be those of the rehearsal.
      await world.market
        .newPorts()
        .market.commit([{ sql: 'UPDATE agents SET callback_confirmed_at = NULL', params: [] }]);
      return { purchaseId };
    },
    act: () => wakeUp().catch(() => {}),
    async expectEnd({ purchaseId }) {
      expect(await world.statusOf(purchaseId)).toBe('released');
      expect(received([world.seller], purchaseId)).toEqual([
        'purchase.authorized',
        'purchase.delivered',
        'sale.held',
        'sale.released',
      ]);
    },
  };
  await breakEverywhere(world, pushing);
  await interruptEverywhere(world, pushing, { name: 'the same message comes again', come: wakeUp });
});
