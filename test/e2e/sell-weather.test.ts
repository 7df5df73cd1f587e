import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { packPackage } from '@agent-marketplace/devkit/release/pack-package.ts';
import { PUBLISHED } from '@agent-marketplace/devkit/release/published-packages.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installAlone } from '../packages/install.ts';
import { programOf, runsHere } from '../packages/runtime-programs.ts';
import { freePort } from './free-port.ts';
import { startWeatherApi, type WeatherApi } from './weather-api.ts';

// An API that exists is for sale by one command, and another agent buys from it: both with the program as it is
// installed from its tarball into an empty folder, on the oldest Node that it runs on.

const KEY = 'k3y-of-the-weather';
const NODE = runsHere ? programOf('node-20-linux-x64/bin/node') : process.execPath;
const GOOD_CARD = '4000000000000077';
const SELL = 'sell openapi URL --operation forecast --secret WEATHER_KEY --env-file .env --yes --json';
let market: Marketplace;
let api: WeatherApi;
let folder: string;
let installed: string;
let seller: ChildProcess;
let output = '';
let log = '';
let asBuyer: MarketplaceClient;

/** Starts the program for the seller or the buyer, each with a configuration of its own. */
function start(who: 'seller' | 'buyer', args: readonly string[]): ChildProcess {
  return spawn(NODE, ['node_modules/.bin/agent-market', ...args], {
    cwd: installed,
    env: {
      PATH: process.env.PATH ?? '',
      AGENT_MARKET_CONFIG: join(folder, `${who}.json`),
      AGENT_MARKET_URL: market.baseUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(who: 'seller' | 'buyer', ...args: readonly string[]) {
  const child = start(who, args);
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    texts.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.stderr += chunk;
  });
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  expect([exitCode, texts.stdout], texts.stderr).toEqual([0, expect.any(String)]);
  return JSON.parse(texts.stdout);
}

const sell = (...more: string[]) => [...SELL.replace('URL', api.documentUrl).split(' '), ...more];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sell-'));
  installed = join(folder, 'installed');
  [market, api] = await Promise.all([
    startTemporaryMarketplace(),
    startWeatherApi(KEY),
    packPackage(PUBLISHED.cli, folder).then(({ tarball }) => installAlone(tarball, [], installed)),
  ]);
  writeFileSync(join(installed, '.env'), `WEATHER_KEY=${KEY}\n`, { mode: 0o600 });
  seller = start('seller', sell('--price', 'free', '--serve', '--port', String(await freePort())));
  seller.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  seller.stderr?.on('data', (chunk) => {
    log += chunk;
  });
}, 120_000);
afterAll(async () => {
  seller?.kill('SIGINT');
  await api?.close();
  await market?.close();
  await rm(folder, { recursive: true, force: true });
});

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
  const anyone = createMarketplaceClient({ baseUrl: market.baseUrl, retries: 0 });
  const { listing, preview } = await anyone.getListing({ listingId });
  expect(listing).toMatchObject({
    verticalSlug: expect.stringContaining('weather'),
    exampleQuery: { latitude: 52.52, longitude: 13.4 },
    inputSchema: { required: ['latitude', 'longitude'], additionalProperties: false },
    outputSchema: { required: ['latitude', 'longitude', 'current_weather'] },
  });
  expect(preview).toMatchObject({ sample: { current_weather: { temperature: 18.5 } } });
});

it('is not for sale in a vertical that there is not, nor by a gateway that does not serve it', async () => {
  const refused = async (...args: string[]) => {
    const child = start('seller', args);
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    const exitCode = await new Promise((resolve) => child.on('close', resolve));
    return [exitCode, JSON.parse(said).error.message];
  };
  expect(await refused(...sell('--price', 'free', '--vertical', 'nonsense', '--dry-run'))).toEqual([
    2,
    'There is no vertical "nonsense".',
  ]);
  const { callbackUrl } = JSON.parse(output);
  const elsewhere = sell('--price', 'free', '--title', 'Weather of another file', '--callback', callbackUrl);
  expect(await refused(...elsewhere, '--config', 'other.json')).toEqual([
    4,
    expect.stringMatching(/is listed as .* does not deliver it/),
  ]);
});

it('another agent buys what it asks for', async () => {
  await run('buyer', 'register', '--name', 'Buyer', '--json');
  const { apiKey } = JSON.parse(readFileSync(join(folder, 'buyer.json'), 'utf8')).profiles.default;
  asBuyer = createMarketplaceClient({ baseUrl: market.baseUrl, apiKey, retries: 0 });
  const query = { latitude: 48.4, longitude: -4.5, temperature_unit: 'fahrenheit', hourly: ['rain', 'snow'] };
  const { content, status } = await run(
    'buyer',
    'buy',
    listingId,
    '--query',
    JSON.stringify(query),
    '--json',
  );
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
    code: 'query_refused',
    charged: false,
    retryable: false,
  });
  await expect(ask(1, 180)).rejects.toMatchObject({ charged: false, retryable: true });
  const asked = api.requests.length;
  await expect(ask(91, 1)).rejects.toMatchObject({ status: 400 });
  expect(api.requests).toHaveLength(asked);
});

it('for a price it is for sale once a person connected payouts, and is paid from a wallet', async () => {
  const title = 'Weather of a place, for a price';
  const sold = await run('seller', ...sell('--price', '0.90', '--title', title, '--duplicate'));
  expect(sold).toMatchObject({ status: 'pending', onboardingUrl: expect.stringMatching(/^http/) });
  const statusNow = async () => (await asBuyer.getListing({ listingId: sold.listingId })).listing.status;
  await enterPayoutDetails(sold.onboardingUrl);
  await market.cards?.control.webhooks.settled();
  await expect.poll(statusNow).toBe('active');
  const { checkoutUrl } = await run('buyer', 'wallet', 'fund', '--amount-cents', '1000', '--json');
  await enterCard(checkoutUrl, GOOD_CARD);
  await market.cards?.control.webhooks.settled();
  const query = JSON.stringify({ latitude: 48.4, longitude: -4.5 });
  const pay = ['--pay', 'wallet', '--max-price-cents', '90', '--json'];
  const bought = await run('buyer', 'buy', sold.listingId, '--query', query, ...pay);
  expect(bought).toMatchObject({ status: 'held', content: { current_weather: { temperature: 18.5 } } });
  expect((await run('buyer', 'wallet', '--json')).balanceCents).toBe(910);
});

it('keeps the key to itself', async () => {
  const file = join(installed, 'gateway.json');
  const detail = JSON.stringify(await asBuyer.getListing({ listingId }));
  for (const text of [detail, output, log, readFileSync(file, 'utf8')]) expect(text).not.toContain(KEY);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
