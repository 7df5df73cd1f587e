import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { sellerOf } from '@agent-marketplace/core/testing/fake-seller-endpoint.ts';
import { readSigned } from '@agent-marketplace/core/testing/read-signed.ts';
import { testBindings } from '@agent-marketplace/core/testing/workers-bindings.ts';
import {
  createTestMarketplace,
  type TestMarketplace,
} from '@agent-marketplace/core/testing/workers-harness.ts';
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
  perform(operation: string, input: Record<string, unknown>, agent?: Agent): Promise<Record<string, unknown>>;
  /** A listing that is live and free, made for this use. */
  newListing(fields?: Record<string, unknown>): Promise<string>;
}

export async function createWorld(): Promise<World> {
  const market = createTestMarketplace();
  market.sellerEndpoint.script = sellerOf({ answer: 42 });

  const perform: World['perform'] = async (name, input, agent) => {
    const operation = apiOperations.find((one) => one.name === name);
    if (!operation) throw new Error(`There is no operation ${name}.`);
    const response = await send(market, operation, { input, ...(agent ? { apiKey: agent.apiKey } : {}) });
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
    testBindings.DB.prepare('INSERT INTO sellers (agent_id, registered_at) VALUES (?, ?)').bind(
      seller.id,
      at,
    ),
    testBindings.DB.prepare(
      "INSERT INTO delivery_endpoints (seller_id, callback_url, callback_type, verified_at) VALUES (?, ?, 'webhook', ?)",
    ).bind(seller.id, 'http://localhost:9/deliver', at),
  ]);

  return {
    market,
    buyer,
    seller,
    perform,
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
