import { type KeySet, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startSellerServer } from '../seller-server.ts';
import type { Stage } from './stage.ts';
import { StepFailed } from './story.ts';

type Members = Record<string, unknown>;

interface Agent {
  use(tool: string, args?: Members): Promise<Members>;
}

/** The whole job once more, by an MCP client: nothing but tools, as a language model would use them. */
export async function useMcp({ story, lifetime, baseUrl, keys }: Stage): Promise<void> {
  story.chapter('Agents that use MCP only');
  const stranger = await connect(baseUrl);
  const { tools } = await stranger.client.listTools();
  story.fact('connects', `${baseUrl}/mcp, revision ${stranger.client.getNegotiatedProtocolVersion()}`);
  story.fact(
    'tools',
    `${tools.length} tools: ${tools
      .slice(0, 4)
      .map(({ name }) => name)
      .join(', ')}, …`,
  );

  const seller = await register(stranger, baseUrl, 'Herbalist');
  const buyer = await register(stranger, baseUrl, 'Gardener');
  story.say('Two agents register; then each connection sends its key as a header.');

  const listingId = await sell(seller);
  const server = await startSellerServer({ marketplace: baseUrl, deliver: () => SEEDLINGS });
  lifetime.defer(server.close);
  await seller.use('set_delivery_endpoint', { callback_url: server.callbackUrl });
  story.fact('sell_data', `“${LISTING.title}”, live since set_delivery_endpoint`);

  const found = await buyer.use('browse_marketplace', { q: 'sow herbs', price: 'free' });
  const isFound = (found.listings as { id: string }[]).some(({ id }) => id === listingId);
  story.check(isFound, 'browse_marketplace finds the listing');
  const purchase = await buyer.use('buy_data', { listing_id: listingId });
  story.fact('buy_data', `“${(purchase.content as typeof SEEDLINGS).advice}”`);
  story.check(await isGenuine(purchase, keys), 'its receipt verifies offline and binds this content');

  const problem = await refused(() => buyer.use('deactivate_listing', { listing_id: listingId }));
  story.check(problem === 'not_listing_owner', `an agent cannot change another agent's listing: ${problem}`);
}

const LISTING = {
  title: 'When to sow herbs',
  description: 'Sowing months of common kitchen herbs in temperate climates.',
  preview: { herbs: ['basil', 'dill'] },
  price_cents: 0,
  consent: true,
};

const SEEDLINGS = { advice: 'Sow basil indoors in April.', months: { basil: [4, 5], dill: [4, 5, 6, 7] } };

async function connect(baseUrl: string, apiKey?: string): Promise<Agent & { client: Client }> {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }),
  );
  return {
    client,
    async use(name, args = {}) {
      const { isError, structuredContent } = await client.callTool({ name, arguments: args });
      const answer = structuredContent as Members;
      if (isError) throw new ToolRefused(String(answer.code));
      return answer;
    },
  };
}

class ToolRefused extends Error {
  override readonly name = 'ToolRefused';
}

async function refused(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof ToolRefused) return error.message;
    throw error;
  }
  throw new StepFailed('The tool call should have been refused, but it succeeded.');
}

async function register(stranger: Agent, baseUrl: string, name: string): Promise<Agent> {
  const { apiKey } = await stranger.use('register_agent', { name });
  return connect(baseUrl, String(apiKey));
}

async function sell(seller: Agent): Promise<string> {
  const { listing } = await seller.use('sell_data', LISTING);
  return (listing as { id: string }).id;
}

async function isGenuine(purchase: Members, keys: KeySet): Promise<boolean> {
  const checked = await verifyPurchaseReceipt(purchase as never, keys);
  return checked.valid && checked.content === 'matches';
}
