import { deliverAgentEvents } from '@agent-marketplace/core/agents/index.ts';
import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { carryOutErasures } from '@agent-marketplace/core/privacy/index.ts';
import {
  advanceDueSales,
  PAYMENT_METHODS,
  railNamed,
  runEscrowClock,
  sweepChargebacks,
} from '@agent-marketplace/core/sales/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { boundKey } from '@agent-marketplace/core/testing/fixtures/bound-key.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import {
  type Bought,
  createSalesMarketplace,
  type SalesMarketplace,
} from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { emptyStorage, testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { sweepTopUps } from '@agent-marketplace/core/wallet/index.ts';
import { expect } from 'vitest';
import { expectAgreement } from './agreement.ts';
import { Line } from './await-points.ts';
import { createOracle } from './oracle/create-oracle.ts';
import { PlatformBank } from './oracle/platform-bank.ts';

const MINUTE_MS = 60_000;
export const PRICE = 3000;
export const THE_CONTENT = { answer: 42 };
/** Money waits in escrow for so long here. */
export const HOLD_MS = 2 * 3600_000;
/** Runs of the jobs by which everything has come to an end. */
const MOST_RUNS = 60;
/** As much as with FULL one file sends of what the rail of the tests paid for: that money never comes to the processor. */
const FLOAT_WALLETS = 6;
const WALLET_CAP_CENTS = 50_000;
const NO_RESERVE = 1_000_000_000;

/** When something is to be done next, of all that waits for its time. */
const NEXT_DUE = `SELECT MIN(at) AS at FROM (
  SELECT MAX(due_at, COALESCE(leased_until, '')) AS at FROM payments JOIN purchases ON id = purchase_id
    WHERE due_at IS NOT NULL AND status IN ('pending_payment', 'authorized', 'held', 'releasing')
      AND NOT (status = 'held' AND EXISTS
        (SELECT 1 FROM chargebacks WHERE chargebacks.purchase_id = id AND settled_at IS NULL))
      AND NOT (status = 'held' AND refund_requested_at IS NULL AND EXISTS
        (SELECT 1 FROM operator_holds WHERE operator_holds.purchase_id = id AND lifted_at IS NULL))
  UNION ALL SELECT check_at FROM chargebacks WHERE status = 'lost' AND settled_at IS NULL
  UNION ALL SELECT look_at FROM wallet_top_ups WHERE status = 'open'
  -- D1 joins no more than five SELECTs.
  UNION ALL SELECT at FROM (SELECT COALESCE(recharge_at, '') AS at FROM wallets WHERE recharge_state = 'due'
    UNION ALL SELECT check_at FROM top_up_refunds WHERE status IN ('decided', 'sent')
    UNION ALL SELECT due_at FROM erasures WHERE cancelled_at IS NULL AND erased_at IS NULL)
  UNION ALL SELECT next_attempt_at FROM agent_events
    WHERE delivered_at IS NULL AND given_up_at IS NULL AND is_pushed)`;

/** Every rail that a buyer who waits may choose, the one of the tests included. */
export const METHODS = PAYMENT_METHODS.filter(
  (method) => method !== 'auto' && !railNamed(method).isPaidLater,
);

export interface FaultWorld extends Awaited<ReturnType<typeof newWorld>> {
  /**
   * Begins anew, with nothing stored and sellers who answer as before: what is compared after each test grows
   * with all that ever happened. Where storage is emptied for whole files only, it goes on.
   */
  renew(): Promise<void>;
}

interface WorldOptions {
  /** Why the oracle does not judge it, in words. */
  readonly unjudged?: string;
  /** What may be outstanding; by default more than is sold here to one seller. */
  readonly reserveLimitCents?: number;
}

/** A marketplace whose every call to the outside can be broken, and what must hold in it whatever broke. */
export async function createFaultWorld(options: WorldOptions = {}): Promise<FaultWorld> {
  const world: FaultWorld = {
    ...(await newWorld(options)),
    async renew() {
      if (emptyStorage === null) return;
      const { script } = world.market.sellerEndpoint;
      emptyStorage();
      Object.assign(world, await newWorld(options));
      world.market.sellerEndpoint.script = script;
    },
  };
  return world;
}

async function newWorld({ unjudged, reserveLimitCents = NO_RESERVE }: WorldOptions) {
  const sales: SalesMarketplace = createSalesMarketplace(
    { escrowHoldHours: HOLD_MS / 3600_000 },
    { variables: { PAYOUT_RESERVE: JSON.stringify({ limitCents: reserveLimitCents }) } },
  );
  const { market, cards } = sales;
  const bank = new PlatformBank();
  const oracle = unjudged === undefined ? createOracle(market, cards, [({ id }) => bank.seen(id)]) : null;
  const line = new Line(market, cards);
  const agents = new Map<string, RegisteredAgent>();
  /** The purchases whose content somebody was shown. */
  const shown = new Set<string>();
  market.sellerEndpoint.script = sellerOf(THE_CONTENT);

  async function newAgent(): Promise<RegisteredAgent> {
    const callbackUrl = `https://agent-${agents.size}.example.com/hook`;
    const agent = await sales.newAgent({ name: 'Agent', callbackUrl });
    agents.set(agent.id, agent);
    return agent;
  }

  /** Transfers of what wallets paid for come out of the platform's own balance, which fees of cards wear down. */
  for (let made = 0; made < FLOAT_WALLETS; made += 1) {
    await sales.fund(await newAgent(), WALLET_CAP_CENTS);
  }
  const seller = await sales.seller();
  await market.newPorts().market.commit([
    {
      sql: 'UPDATE agents SET callback_url = ? WHERE id = ?',
      params: ['https://seller.example.com/events', seller.id],
    },
  ]);

  /** What really is in the database: this is neither counted nor broken. */
  async function rows<Row>(sql: string, ...params: (string | number)[]): Promise<Row[]> {
    const { results } = await testBindings.DB.prepare(sql)
      .bind(...params)
      .all();
    return results as Row[];
  }

  async function statusOf(purchaseId: string): Promise<string | undefined> {
    const [row] = await rows<{ status: string }>('SELECT status FROM purchases WHERE id = ?', purchaseId);
    return row?.status;
  }

  /** Whoever is shown content has paid for it by then. */
  async function see<A extends { readonly body: Bought }>(answer: A): Promise<A> {
    if (!answer.body.content) return answer;
    shown.add(answer.body.id);
    expect(await statusOf(answer.body.id), 'of what is shown').toMatch(/^(held|releasing|released)$/);
    return answer;
  }

  /** The jobs, as every minute, whenever something is due, until nothing is left that ever will be. */
  async function recover(): Promise<void> {
    await market.background.settled();
    for (let run = 0; run < MOST_RUNS; run += 1) {
      const [due] = await rows<{ at: string | null }>(NEXT_DUE);
      if (due?.at == null && run > 0) return;
      market.clock.set(Math.max(market.clock.now() + MINUTE_MS, Date.parse(due?.at ?? '') || 0));
      await everyMinute();
    }
    throw new Error(`Something is still due: ${JSON.stringify(await rows(NEXT_DUE))}`);
  }

  /** The jobs that make good what was cut off; what else runs every minute has no part in a sale. */
  async function everyMinute(): Promise<void> {
    const ports = market.newPorts();
    await sweepTopUps(ports);
    await advanceDueSales(ports);
    await sweepChargebacks(ports);
    await runEscrowClock(ports);
    await carryOutErasures(ports).catch(() => {});
    await deliverAgentEvents(ports);
    await market.background.settled();
  }

  const world = {
    ...sales,
    line,
    bank,
    oracle,
    shown,
    seller,
    newAgent,
    recover,
    everyMinute,
    agentOf: (id: string) => agents.get(id),

    newSeller: sales.seller,
    listing: (fields: Record<string, unknown> = {}, by: RegisteredAgent = seller) =>
      sales.listing({ priceCents: PRICE, ...fields }, by),
    buy: async (...args: Parameters<typeof sales.buy>) => see(await sales.buy(...args)),
    read: async (...args: Parameters<typeof sales.read>) => see(await sales.read(...args)),
    decide: (purchaseId: string, decision: 'refund' | 'release', headers = {}) =>
      sales.request(
        'POST',
        `/admin/disputes/${purchaseId}/decision`,
        null,
        { decision },
        { 'x-mkt-admin': TEST_ADMIN_SECRET, ...headers },
      ),
    dispute: (purchaseId: string, buyer: RegisteredAgent, headers = {}) =>
      sales.request(
        'POST',
        `/marketplace/purchases/${purchaseId}/dispute`,
        buyer.apiKey,
        { reason: 'Wrong.' },
        headers,
      ),

    async newBuyer(method: string, cents = PRICE): Promise<RegisteredAgent> {
      const buyer = await newAgent();
      if (method === 'wallet') await sales.fund(buyer, cents);
      if (method === 'card') await sales.saveCard(buyer, 'available_at_once');
      // Wide enough: what is compared after every run is that the windows say what the sales say.
      await boundKey(market.newPorts(), buyer, { perDayCents: 1_000_000_000 }, { totalCents: 1_000_000_000 });
      return buyer;
    },

    /** A sale whose money is in escrow. */
    async newSale(method: string, fields: Record<string, unknown> = {}, by: RegisteredAgent = seller) {
      const { id } = await world.listing(fields, by);
      const buyer = await world.newBuyer(method);
      const { status, body } = await world.buy(id, buyer, { body: { payment_method: method } });
      if (status !== 200) throw new Error(JSON.stringify(body));
      await market.background.settled();
      return { listingId: id, buyer, purchaseId: body.id };
    },

    statusOf,
    rows,

    /** Whoever asks again with the same key, with the jobs running meanwhile. */
    async untilAnswered<A extends { readonly status: number }>(ask: () => Promise<A>): Promise<A> {
      let answer = await ask();
      for (let tries = 0; tries < 5 && answer.status !== 200; tries += 1) {
        market.clock.advance(3 * MINUTE_MS);
        await everyMinute();
        answer = await ask();
      }
      return answer;
    },

    /** Hands over what the card processor tells; whoever fails is told again later, if at all. */
    async hearCardProcessor(): Promise<void> {
      for (const { rawBody, signatureHeader } of await cards.takeWebhooks()) {
        await cardWebhook.take(market.newPorts(), rawBody, signatureHeader).catch(() => {});
      }
    },

    /** What must hold whatever broke, once the jobs had their time. */
    async expectAllWell(): Promise<void> {
      await recover();
      await expectAgreement(world);
    },
  };
  return world;
}
