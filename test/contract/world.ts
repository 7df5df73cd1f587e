import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import {
  createTestMarketplace,
  type TestMarketplace,
} from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { FakeCardProcessor } from '@agent-marketplace/core/testing/payments/fake-card-processor.ts';
import { createFakeChain } from '@agent-marketplace/core/testing/payments/fake-chain.ts';
import { completeSetup, settleTopUp } from '@agent-marketplace/core/wallet/index.ts';
import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { send } from './requests.ts';

export interface Agent {
  readonly id: string;
  readonly apiKey: string;
  readonly handle: string;
}

/** A marketplace with somebody in it, for operations to be tried on. */
export interface World {
  readonly market: TestMarketplace;
  readonly buyer: Agent;
  /** Sells, and has a verified endpoint. */
  readonly seller: Agent;
  /** The answer of another operation, for examples that build on it. */
  perform(
    operation: string,
    input: Record<string, unknown>,
    as?: Agent | 'operator',
  ): Promise<Record<string, unknown>>;
  /** A priced listing, bought from the buyer's wallet, or another's, and delivered. */
  newSale(fields?: Record<string, unknown>, by?: Agent): Promise<{ listingId: string; purchaseId: string }>;
  /** Somebody else with a little money: who may open few disputes has opened none. */
  newBuyer(): Promise<Agent>;
  /** A listing that is live and free, made for this use. */
  newListing(fields?: Record<string, unknown>): Promise<string>;
}

export async function createWorld(more: readonly AnyOperation[] = []): Promise<World> {
  const cards: FakeCardProcessor = new FakeCardProcessor({ now: () => market.clock.now() });
  const chain = createFakeChain({ clock: { now: () => market.clock.now() } });
  const market: TestMarketplace = createTestMarketplace({
    overrides: { cards, chain },
    operations: [...apiOperations, ...more],
  });
  market.sellerEndpoint.script = sellerOf({ answer: 42 });

  const perform: World['perform'] = async (name, input, as) => {
    const operation = apiOperations.find((one) => one.name === name);
    if (!operation) throw new Error(`There is no operation ${name}.`);
    const who =
      as === 'operator'
        ? { headers: { [BRAND.header.admin]: TEST_ADMIN_SECRET } }
        : as && { apiKey: as.apiKey };
    const response = await send(market, operation, { input, ...who });
    const { body, text } = await readSigned(response);
    if (!response.ok) throw new Error(`${name}: ${text}`);
    return body;
  };
  const newAgent = async (name: string): Promise<Agent> => {
    const response = await market.request('POST', '/agents/register', { body: { name } });
    const { body } = await readSigned(response);
    const { id, apiKey, connect } = body as { id: string; apiKey: string; connect: { handle: string } };
    return { id, apiKey, handle: connect.handle };
  };
  const [buyer, seller] = [await newAgent('Buyer'), await newAgent('Seller')];
  const at = new Date(market.clock.now()).toISOString();
  await testBindings.DB.batch([
    testBindings.DB.prepare(
      "INSERT INTO sellers (agent_id, payouts, registered_at) VALUES (?, 'connected', ?)",
    ).bind(seller.id, at),
    testBindings.DB.prepare(
      "INSERT INTO delivery_endpoints (seller_id, callback_url, callback_type, verified_at) VALUES (?, ?, 'webhook', ?)",
    ).bind(seller.id, 'http://localhost:9/deliver', at),
  ]);

  /** The fake's pages have their session's id in their address. */
  const sessionOf = (url: unknown) => String(url).split('/').at(-1) ?? '';
  const fund = async (agent: Agent, amountCents: number) => {
    const { checkoutUrl } = await perform('fundWallet', { amountCents }, agent);
    cards.payCheckout(sessionOf(checkoutUrl), 'available_at_once');
    await settleTopUp(market.newPorts(), { sessionId: sessionOf(checkoutUrl) });
  };
  await fund(buyer, 40_000);
  const { setupUrl } = await perform('setupPaymentMethod', {}, buyer);
  cards.saveCard(sessionOf(setupUrl));
  await completeSetup(market.newPorts(), sessionOf(setupUrl));

  return {
    market,
    buyer,
    seller,
    perform,
    async newSale(fields = {}, by = buyer) {
      const { listing } = await perform('createListing', { ...LISTING, priceCents: 100, ...fields }, seller);
      const listingId = (listing as { id: string }).id;
      const { id } = await perform('purchaseListing', { listingId, paymentMethod: 'wallet' }, by);
      return { listingId, purchaseId: String(id) };
    },
    async newBuyer() {
      const agent = await newAgent('Another buyer');
      await fund(agent, 1000);
      return agent;
    },
    async newListing(fields = {}) {
      const { listing } = await perform('createListing', { ...LISTING, ...fields }, seller);
      return (listing as { id: string }).id;
    },
  };
}

export const LISTING = {
  title: 'Tide tables of Brest',
  description: 'High and low water, computed.',
  preview: { rows: 2 },
  priceCents: 0,
  consent: true,
  vertical: 'market-data',
};
