import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { settleTopUp, sweepTopUps } from '@agent-marketplace/core/wallet/index.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld } from './fault-world.ts';
import { breakEverywhere, interruptEverywhere, type Scenario } from './scenarios.ts';

// Credits, and the cards that pay for them, cut off at every step: one payment is one credit.

const world = await createFaultWorld();
const HOUR_MS = 3600_000;
const CENTS = 30_000;

interface Funding {
  readonly agent: RegisteredAgent;
  readonly fund: () => ReturnType<typeof world.request>;
}

async function funding(): Promise<Funding> {
  const agent = await world.newAgent();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const fund = () => world.request('POST', '/wallet/fund', agent.apiKey, { amount_cents: CENTS }, headers);
  return { agent, fund };
}

interface Opened {
  readonly agent: RegisteredAgent;
  readonly sessionId: string;
}

async function opened(): Promise<Opened> {
  const { agent, fund } = await funding();
  return { agent, sessionId: sessionOf((await fund()).body.checkoutUrl) };
}

async function paid(): Promise<Opened> {
  const page = await opened();
  world.cards.payCheckout(page.sessionId);
  return page;
}

const creditsOf = async ({ id }: RegisteredAgent) =>
  (await world.rows("SELECT 1 FROM ledger_entries WHERE account = 'wallet:' || ? AND amount_cents > 0", id))
    .length;

async function expectOneCredit({ agent }: Pick<Opened, 'agent'>, cents = CENTS): Promise<void> {
  expect([await world.balanceOf(agent), await creditsOf(agent)]).toEqual([cents, 1]);
}

const settle = ({ sessionId }: Opened) => settleTopUp(world.market.newPorts(), { sessionId }).catch(() => {});
const sweep = () => sweepTopUps(world.market.newPorts()).catch(() => {});

describe('One payment is one credit', async () => {
  await breakEverywhere<Funding>(world, {
    name: 'the page of a top-up is opened',
    prepare: funding,
    act: ({ fund }) => fund(),
    async comeBack({ fund }) {
      // What the broken request had opened may keep its room under the cap until its page has ended.
      let answer = await fund();
      for (let tries = 0; tries < 5 && answer.status !== 200; tries += 1) {
        expect(answer.body.charged).not.toBe(true);
        world.market.clock.advance(20 * 60_000);
        await world.everyMinute();
        answer = await fund();
      }
      world.cards.payCheckout(sessionOf(answer.body.checkoutUrl));
      await world.hearCardProcessor();
    },
    expectEnd: (state) => expectOneCredit(state),
  });
  const settling: Scenario<Opened> = {
    name: 'the report that a top-up was paid',
    prepare: paid,
    act: settle,
    expectEnd: (state) => expectOneCredit(state),
  };
  await breakEverywhere(world, settling);
  await interruptEverywhere(world, settling, { name: 'the report comes again', come: settle });
  await interruptEverywhere(world, settling, {
    name: 'the jobs run',
    async come() {
      world.market.clock.advance(HOUR_MS / 2);
      await sweep();
    },
  });
  const sweeping: Scenario<Opened> = {
    name: 'a job looks at a page whose report was lost',
    async prepare() {
      const page = await paid();
      world.market.clock.advance(HOUR_MS / 2);
      return page;
    },
    act: sweep,
    expectEnd: (state) => expectOneCredit(state),
  };
  await breakEverywhere(world, sweeping);
  await interruptEverywhere(world, sweeping, { name: 'another job does', come: sweep });
});

describe('A page that nobody paid ends, and gives its room under the cap back', async () => {
  const ending: Scenario<Opened> = {
    name: 'a job closes the page',
    async prepare() {
      const page = await opened();
      world.market.clock.advance(HOUR_MS + 60_000);
      return page;
    },
    act: sweep,
    async expectEnd({ agent }) {
      expect([await world.balanceOf(agent), await creditsOf(agent)]).toEqual([0, 0]);
      const { body } = await world.request('GET', '/wallet/balance', agent.apiKey);
      expect(body).toMatchObject({ availableToFundCents: 50_000, openTopUps: [] });
    },
  };
  await breakEverywhere(world, ending);
});

describe('A balance below its threshold is recharged once', async () => {
  interface Recharging {
    readonly agent: RegisteredAgent;
    readonly turnOn: () => ReturnType<typeof world.request>;
  }
  const recharging: Scenario<Recharging> = {
    name: 'auto-recharge is turned on while the balance is low',
    async prepare() {
      const agent = await world.newAgent();
      await world.saveCard(agent, 'available_at_once');
      const body = { enabled: true, threshold_cents: 1000, recharge_amount_cents: 2000 };
      const headers = { 'idempotency-key': crypto.randomUUID() };
      world.cards.calls.length = 0;
      return {
        agent,
        turnOn: () => world.request('POST', '/wallet/auto-recharge', agent.apiKey, body, headers),
      };
    },
    act: ({ turnOn }) => turnOn(),
    async comeBack({ turnOn }) {
      expect((await world.untilAnswered(turnOn)).status).toBe(200);
    },
    async expectEnd({ agent }) {
      await expectOneCredit({ agent }, 2000);
      const keys = world.cards.calls.flatMap(({ method, key }) => (method === 'chargeSaved' ? [key] : []));
      expect(new Set(keys).size).toBe(1);
    },
  };
  await breakEverywhere(world, recharging);
  await interruptEverywhere(world, recharging, { name: 'a job looks at it', come: sweep });
});

describe('A card is saved, whatever is lost', async () => {
  interface Saving {
    readonly agent: RegisteredAgent;
    readonly open: () => ReturnType<typeof world.request>;
  }
  const isSaved = async ({ agent }: Saving) =>
    expect((await world.request('GET', '/wallet/balance', agent.apiKey)).body).toMatchObject({
      savedCard: { last4: '4242' },
    });
  async function saving(): Promise<Saving> {
    const agent = await world.newAgent();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const open = () => world.request('POST', '/wallet/payment-method', agent.apiKey, {}, headers);
    return { agent, open };
  }
  const pageOf = async ({ open }: Saving) => {
    const { body } = await world.untilAnswered(open);
    return sessionOf((body as unknown as { setupUrl: string }).setupUrl);
  };
  await breakEverywhere<Saving>(world, {
    name: 'the page is opened',
    prepare: saving,
    act: ({ open }) => open(),
    async comeBack(state) {
      expect(world.cards.saveCard(await pageOf(state))).toBe(true);
      await world.hearCardProcessor();
    },
    expectEnd: isSaved,
  });
});
