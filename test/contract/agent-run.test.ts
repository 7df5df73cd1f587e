import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createMcpFace, MCP_URL } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k_base from 'js-tiktoken/ranks/o200k_base';
import { beforeAll, expect, it } from 'vitest';

// A whole errand of an agent: the official client, driven by a model that is a script. It knows what it wants and reads
// nothing but what tools say of themselves and what their texts answer.

const MAX_TOKENS = 12_000;
const BUDGET_CENTS = 500;
const sales = createSalesMarketplace();
const { market } = sales;
const face = createMcpFace(market);

const QUERY = {
  type: 'object',
  properties: { port: { type: 'string' }, day: { type: 'string', format: 'date' } },
  required: ['port', 'day'],
};

beforeAll(async () => {
  const seller = await sales.seller();
  for (const place of [
    'Brest',
    'Calais',
    'Dieppe',
    'Granville',
    'Lorient',
    'Nantes',
    'Ouessant',
    'Roscoff',
  ]) {
    const priceCents = place === 'Roscoff' ? 250 : 900;
    const fields = {
      inputSchema: QUERY,
      exampleQuery: { port: place, day: '2026-06-01' },
      vertical: 'market-data',
    };
    const description =
      `High and low water at ${place}, computed from the harmonic constants of the last nineteen years and checked ` +
      'against the gauge of the port: times in UTC, heights in metres over chart datum, and the coefficient of each tide.';
    const title = `Tide tables of ${place}, hour by hour`;
    await sales.listing(
      { ...fields, title, description, priceCents, preview: { columns: ['time', 'metres'] } },
      seller,
    );
  }
  for (const subject of ['Pollen', 'Snow', 'Traffic', 'Fuel prices']) {
    await sales.listing({ title: `${subject} by region`, priceCents: 100 }, seller);
  }
  await market.background.settled();
  market.sellerEndpoint.script = sellerOf({
    tides: [
      { time: '04:12', metres: 8.9 },
      { time: '10:31', metres: 1.4 },
    ],
  });
});

/** What a host may show its model: what each tool says of itself, and of each answer the text, the data, or both. */
interface Session {
  readonly tools: readonly unknown[];
  readonly texts: string[];
  readonly data: unknown[];
  call(tool: string, args: Record<string, unknown>): Promise<string>;
}

async function connect(): Promise<Session> {
  const transport = new StreamableHTTPClientTransport(new URL(MCP_URL), {
    fetch: (url, init) => face.request(init ?? {}, String(url)),
  });
  const client = new Client({ name: 'errand', version: '1.0.0' });
  await client.connect(transport as unknown as Parameters<Client['connect']>[0]);
  const { tools } = await client.listTools();
  const texts: string[] = [];
  const data: unknown[] = [];
  return {
    // What models take as the definition of a tool: no title, no schema of answers, no hints of the protocol.
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    texts,
    data,
    async call(tool, args) {
      const { content, structuredContent } = await client.callTool({ name: tool, arguments: args });
      data.push(structuredContent);
      const text = (content as { text: string }[]).map((part) => part.text).join('\n');
      texts.push(text);
      return text;
    },
  };
}

/** The value of a line `name: value`. */
function read(text: string, name: string): string {
  const line = text.split('\n').find((one) => one.startsWith(`${name}: `));
  if (line === undefined) throw new Error(`No line says ${name}:\n${text}`);
  return line.slice(name.length + 2);
}

/** The rows of a list that cost at most so much, the cheapest first. */
function affordable(text: string): string[] {
  const rows = text.split('\n').flatMap((line) => {
    const [, id, cents] = /^- id (\S+), title .*, priceCents (\d+),/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, cents: Number(cents) }];
  });
  return rows
    .filter(({ cents }) => cents <= BUDGET_CENTS)
    .sort((a, b) => a.cents - b.cents)
    .map(({ id }) => id);
}

const encoding = new Tiktoken(o200k_base);
// Text of a stranger is no control token, whatever it says.
const tokens = (shown: unknown): number =>
  encoding.encode(typeof shown === 'string' ? shown : JSON.stringify(shown), [], []).length;

it('finds, previews, buys and rates, with few tokens', async () => {
  const agent = await connect();
  const api_key = read(await agent.call('register_agent', { name: 'Errand' }), 'apiKey');

  const [listing_id] = affordable(await agent.call('browse_marketplace', { q: 'tide tables' }));
  const preview = await agent.call('preview_listing', { listing_id });
  expect(read(preview, 'listing.title')).toBe('"Tide tables of Roscoff, hour by hour"');
  expect(read(preview, 'listing.queryRequired')).toBe('true');
  const query = { ...JSON.parse(read(preview, 'listing.exampleQuery')), day: '2026-07-14' };
  const max_price_cents = Number(read(preview, 'listing.priceCents'));

  const order = { api_key, listing_id, query, max_price_cents };
  const refused = await agent.call('buy_data', { ...order, payment_method: 'wallet' });
  expect(refused).toMatch(/^Refused \(wallet_insufficient\): .*fund_wallet/);
  await sales.payTopUp(read(await agent.call('fund_wallet', { api_key, amount_cents: 1000 }), 'checkoutUrl'));

  const bought = await agent.call('buy_data', order);
  expect(read(bought, 'status')).toBe('held');
  expect(JSON.parse(read(bought, 'content')).tides).toHaveLength(2);
  const purchase_id = read(bought, 'id');
  const rated = await agent.call('rate_listing', { api_key, listing_id, purchase_id, rating: 5 });
  expect(read(rated, 'rating')).toBe('5');

  const sum = (shown: readonly unknown[]) => shown.reduce<number>((total, one) => total + tokens(one), 0);
  const [tools, texts, data] = [sum(agent.tools), sum(agent.texts), sum(agent.data)];
  // A host that shows both the text and the data of an answer shows most.
  expect(tools + texts + data, JSON.stringify({ tools, texts, data })).toBeLessThan(MAX_TOKENS);
});
