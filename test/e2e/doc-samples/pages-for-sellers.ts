import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bindPayoutWallet } from '@agent-marketplace/sdk/seller';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { freePort } from '../free-port.ts';
import { startWeatherApi } from '../weather-api.ts';
import type { PreparePage } from './page-under-test.ts';
import type { Terminal } from './terminal.ts';
import { TIDES, type World } from './world.ts';

const WEATHER_KEY = 'k3y-of-the-weather';
const TOKEN = 't0ken-of-the-tools';
const DEMAND = {
  x402Version: 1,
  accepts: [
    {
      maxAmountRequired: '25000',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      description: 'Air quality of a city',
    },
  ],
};

/** The APIs of others that the pages sell: by what begins their path. */
async function startApis() {
  const server = createServer(async (request, response) => {
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/shop/air') return json(402, DEMAND);
    if (pathname === '/mcp') {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return json(401, {});
      const tools = new Server({ name: 'Tools', version: '1.0.0' }, { capabilities: { tools: {} } });
      const inputSchema = { type: 'object' as const, properties: { city: { type: 'string' } } };
      tools.setRequestHandler(ListToolsRequestSchema, () => ({
        tools: [{ name: 'forecast', description: 'Weather of a city', inputSchema }],
      }));
      tools.setRequestHandler(CallToolRequestSchema, () => ({
        content: [{ type: 'text', text: '{"celsius":18}' }],
      }));
      const transport = new StreamableHTTPServerTransport({});
      await tools.connect(transport);
      return transport.handleRequest(request, response);
    }
    return json(200, pathname.endsWith('/tides') ? TIDES : { name: 'Brest', celsius: 18 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const clientOf = async ({ anyone }: World, terminal: Terminal) =>
  anyone.withApiKey(await terminal.valueOf('KEY'));

export const PAGES_FOR_SELLERS: Readonly<Record<string, PreparePage>> = {
  'docs/sell.md': async (world) => {
    const apis = await startApis();
    const [tidesPort, handlerPort] = [await freePort(), await freePort()];
    const other = await world.newSeller();
    const buyer = await world.newBuyer();
    const wallet = privateKeyToAccount(generatePrivateKey());
    const laterWallet = privateKeyToAccount(generatePrivateKey());
    return {
      variables: { API_KEY: other.apiKey, PAYER_KEY: generatePrivateKey(), TIDES_API: apis.url },
      standIns: {
        'toNodeListener(handler)).listen(9000)': `toNodeListener(handler)).listen(${handlerPort})`,
        'listen(9000)': `listen(${tidesPort})`,
        'localhost:9000': `localhost:${tidesPort}`,
        'https://seller.example/deliver': `http://localhost:${handlerPort}/deliver`,
        'https://seller.example/': 'https://example.com/',
        'https://shop.example/deliver': (await world.newEndpoint()).callbackUrl,
        "'your id, from the answer of step 1'": "process.env.SELLER_ID ?? ''",
      },
      programBefore: /\/sell\/callback /,
      before: [
        [
          /\$CLAIM/,
          async () => {
            const { apiKey } = await world.anyone.registerSeller({ name: 'Without an endpoint' });
            const pending = await world.anyone.withApiKey(apiKey ?? '').createListing({
              title: 'Tide tables of nobody yet',
              description: 'High and low water, once there is an endpoint.',
              preview: {},
              priceCents: 0,
              consent: true,
            });
            return `echo '{"claimUrl":"${pending.claimUrl}"}' > listed.json`;
          },
        ],
        [
          /changes\/\$CHANGE\/cancel -H/,
          async (terminal) => {
            await world.settled();
            const client = await clientOf(world, terminal);
            await bindPayoutWallet(client, laterWallet);
            const { payouts } = await client.getSellerDashboard();
            return `CHANGE=${payouts.changes[0]?.id}`;
          },
        ],
        [
          /\$SIGNATURE/,
          async () => {
            const { apiKey } = await world.anyone.registerSeller({ name: 'Paid to a wallet' });
            const client = world.anyone.withApiKey(apiKey ?? '');
            await bindPayoutWallet(client, wallet);
            await bindPayoutWallet(client, privateKeyToAccount(generatePrivateKey()));
            const changeId = (await client.getSellerDashboard()).payouts.changes[0]?.id ?? '';
            const { message } = await client.getPayoutChange({ changeId });
            return `CHANGE=${changeId} SIGNATURE=${await wallet.signMessage({ message: message ?? '' })}`;
          },
        ],
        [
          /awaitsShipment/,
          async (terminal) => {
            const seller = { apiKey: '', client: await clientOf(world, terminal) };
            const listingId = await world.list(seller, { fulfilment: 'physical' });
            await buyer.client.purchaseListing({
              listingId,
              paymentMethod: 'wallet',
              query: { to: 'Lisbon' },
            });
            return ':';
          },
        ],
        [
          /\$OFFER/,
          async (terminal) => {
            const seller = { apiKey: '', client: await clientOf(world, terminal) };
            const listingId = await world.list(seller, { listingType: 'exclusive', title: 'All the tides' });
            await buyer.client.makeOffer({ listingId, amountCents: 70 });
            return ':';
          },
        ],
      ],
      prints: [
        /delivered/,
        /"verified":true|"verifiedAt":"/,
        /weather-environment/,
        /"connected": true/,
        /"trackingNumber":"RR123456785PT"/,
        /"salesCount": 1/,
        /"status":"accepted"/,
      ],
      async check(terminal) {
        const client = await clientOf(world, terminal);
        await client.setDeliveryEndpoint({ callbackUrl: `http://localhost:${tidesPort}/deliver` });
        const bought = await buyer.client.purchaseListing({
          listingId: await terminal.valueOf('LISTING'),
          query: { harbour: 'Brest', day: '2026-06-01' },
        });
        expect(bought.content).toMatchObject(TIDES);
        apis.close();
      },
    };
  },

  'docs/gateway.md': async () => {
    const apis = await startApis();
    const weather = await startWeatherApi(WEATHER_KEY);
    return {
      variables: { WEATHER_KEY, TOKEN, PORT: String(await freePort()) },
      standIns: {
        'https://weather.example/openapi.json': weather.documentUrl,
        'https://tools.example': apis.url,
        'https://api.example': apis.url,
        'https://shop.example': `${apis.url}/shop`,
        'https://internal.example': apis.url,
        '9000': String(await freePort()),
      },
      before: [
        [/--env-file \.env/, 'echo "WEATHER_KEY=$WEATHER_KEY" > .env; chmod 600 .env'],
        [/export container/, 'rm -r gateway'],
      ],
      prints: [/^The gateway listens/m, /Weather/],
      async check() {
        await weather.close();
        apis.close();
      },
    };
  },
};
