import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli } from '@agent-marketplace/devkit/build-cli.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LiveMarketplace, startMarketplace } from './marketplace.ts';
import { startWeatherApi, type WeatherApi } from './weather-api.ts';

// An API that exists is for sale by one command of the built program, and another agent buys from it.

const KEY = 'k3y-of-the-weather';
let market: LiveMarketplace;
let api: WeatherApi;
let folder: string;
let seller: ChildProcess;
let output = '';
let log = '';
let asBuyer: MarketplaceClient;

beforeAll(async () => {
  [market, api, folder] = await Promise.all([
    startMarketplace(),
    startWeatherApi(KEY),
    mkdtemp(join(tmpdir(), 'sell-')),
  ]);
  await cp(new URL('../../packages/cli/bin', import.meta.url), join(folder, 'bin'), { recursive: true });
  await buildCli(join(folder, 'dist/agent-market.js'));
  writeFileSync(join(folder, '.env'), `WEATHER_KEY=${KEY}\n`, { mode: 0o600 });
  const port = await freePort();
  const command = `sell openapi ${api.documentUrl} --operation forecast --price free --secret WEATHER_KEY --env-file .env --serve --port ${port} --yes --json`;
  seller = spawn(process.execPath, ['bin/agent-market.cjs', ...command.split(' ')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      AGENT_MARKET_CONFIG: join(folder, 'home/config.json'),
      AGENT_MARKET_URL: market.baseUrl(),
    },
  });
  seller.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  seller.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const anyone = createMarketplaceClient({ baseUrl: market.baseUrl(), retries: 0 });
  asBuyer = anyone.withApiKey((await anyone.registerAgent({ name: 'Buyer' })).apiKey);
});
afterAll(async () => {
  seller?.kill('SIGINT');
  await api?.close();
  await market?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What is free now, and hardly taken the next moment. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

let listingId: string;

it('is for sale by one command', async () => {
  await expect
    .poll(() => [output.trimEnd().endsWith('}'), log], { timeout: 60_000 })
    .toEqual([true, expect.anything()]);
  const sold = JSON.parse(output);
  expect(sold).toMatchObject({
    status: 'active',
    title: '7 day weather forecast for coordinates (Weather Forecast API)',
  });
  listingId = sold.listingId;
  expect(log).toContain(
    'inputSchema: `pattern` is left out at hourly[]: the marketplace runs no regular expressions',
  );
  const { listing, preview } = await asBuyer.getListing({ listingId });
  expect(listing).toMatchObject({
    verticalSlug: expect.stringContaining('weather'),
    exampleQuery: { latitude: 52.52, longitude: 13.4 },
    inputSchema: { required: ['latitude', 'longitude'], additionalProperties: false },
    outputSchema: { required: ['latitude', 'longitude', 'current_weather'] },
  });
  expect(preview).toMatchObject({ sample: { current_weather: { temperature: 18.5 } } });
});

it('another agent buys what it asks for', async () => {
  const query = { latitude: 48.4, longitude: -4.5, temperature_unit: 'fahrenheit', hourly: ['rain', 'snow'] };
  const { content, status } = await asBuyer.purchaseListing({ listingId, query });
  expect(status).toBe('released');
  expect(content).toMatchObject({
    latitude: 48.4,
    current_weather: { temperature: 65.3 },
    hourly: { rain: [1.5, 2, null] },
    __sha256: expect.stringMatching(/^sha256:/),
  });
  expect(api.requests.at(-1)).toEqual({
    path: '/v1/forecast?latitude=48.4&longitude=-4.5&hourly=rain&hourly=snow&temperature_unit=fahrenheit',
    key: KEY,
  });
});

it('a refusal of the API is what it is to the buyer', async () => {
  const ask = (latitude: number, longitude: number) =>
    asBuyer.purchaseListing({ listingId, query: { latitude, longitude } });
  await expect(ask(90, 1)).rejects.toMatchObject({
    code: 'delivery_failed',
    charged: false,
    retryable: false,
  });
  await expect(ask(1, 180)).rejects.toMatchObject({ charged: false, retryable: true });
  const asked = api.requests.length;
  await expect(ask(91, 1)).rejects.toMatchObject({ status: 400 });
  expect(api.requests).toHaveLength(asked);
});

it('keeps the key to itself', async () => {
  const file = join(folder, 'gateway.json');
  const detail = JSON.stringify(await asBuyer.getListing({ listingId }));
  for (const text of [detail, output, log, readFileSync(file, 'utf8')]) expect(text).not.toContain(KEY);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
