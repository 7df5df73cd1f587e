import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildCli } from '@agent-marketplace/devkit/build-cli.ts';
import { enterCard } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { packPackage } from '@agent-marketplace/devkit/release/pack-package.ts';
import { PUBLISHED } from '@agent-marketplace/devkit/release/published-packages.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installAlone } from '../packages/install.ts';
import { programOf, runsHere } from '../packages/runtime-programs.ts';
import { CONTENT, openX402Shop, POCKET_UNITS, PRICE_CENTS, PRICE_UNITS, type X402Shop } from './x402-shop.ts';

// The program as it is installed, as a process of its own, on one errand from the registration to the rating.

const execute = promisify(execFile);
const GOOD_CARD = '4000000000000077';
const LIMIT = ['--max-price-cents', String(PRICE_CENTS)];

let place: Marketplace;
let shop: X402Shop;
let folder: string;

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program; `ended` resolves once it did. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, [join(folder, 'bin/agent-market.cjs'), ...args], {
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += chunk));
  child.stderr?.on('data', (chunk) => (output.stderr += chunk));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (exitCode) => resolve({ exitCode, ...output })),
  );
  return { child, output, ended };
}

async function run(args: readonly string[], env?: Record<string, string>): Promise<Ended> {
  return start(args, env).ended;
}

async function json(args: readonly string[], env?: Record<string, string>) {
  const { exitCode, stdout, stderr } = await run([...args, '--json'], env);
  expect([exitCode, stderr], stdout).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
}

async function fund(): Promise<void> {
  const { checkoutUrl } = await json(['wallet', 'fund', '--amount-cents', '1000']);
  await enterCard(checkoutUrl, GOOD_CARD);
  await place.cards?.control.webhooks.settled();
}

/** The seller is asked, and answers once it is released. */
function holdSeller() {
  let isAsked = false;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  shop.beforeAnswer = () => {
    isAsked = true;
    return answered;
  };
  const release = () => {
    shop.beforeAnswer = () => {};
    answer();
  };
  return { arrived: () => isAsked, release };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
  await cp('packages/cli/bin', join(folder, 'bin'), { recursive: true });
  await buildCli(join(folder, 'dist/agent-market.js'));
  place = await startTemporaryMarketplace();
  if (!place.chain) throw new Error('There is no local chain.');
  shop = await openX402Shop(place, place.chain);
});
afterAll(async () => {
  await shop?.close();
  await place?.close();
  await rm(folder, { recursive: true });
});

describe('an errand', () => {
  it('registers, finds, looks, and tops up', async () => {
    const registered = await json(['register', '--name', 'Errand', '--url', place.baseUrl]);
    expect(registered.profile).toBe('default');
    const found = await json(['search', 'tide', 'tables']);
    expect(found.listings.map(({ id }: { id: string }) => id)).toContain(shop.listingId);
    expect((await run(['show', shop.listingId])).stdout).toContain('Tide tables by harbour\n$0.90');
    await fund();
    expect((await json(['wallet'])).balanceCents).toBe(1000);
  });

  it('buys from the wallet, verifies without the marketplace, rates, and finds it again', async () => {
    const bought = await run([
      'buy',
      shop.listingId,
      '--pay',
      'wallet',
      ...LIMIT,
      '--output',
      'purchase.json',
    ]);
    expect(JSON.parse(bought.stdout), bought.stderr).toMatchObject(CONTENT);
    expect((await json(['wallet'])).balanceCents).toBe(1000 - PRICE_CENTS);
    const nowhere = { AGENT_MARKET_URL: 'http://127.0.0.1:1/api' };
    await writeFile(join(folder, 'keys.json'), (await run(['signing-keys', '--json'])).stdout);
    const verified = await json(['verify', 'purchase.json', '--keys', 'keys.json'], nowhere);
    expect(verified.files[0].checks).toMatchObject([
      { what: 'response', valid: true },
      { what: 'purchase', valid: true },
    ]);
    const { id } = JSON.parse(await readFile(join(folder, 'purchase.json'), 'utf8'));
    expect((await json(['rate', id, '--stars', '4', '--comment', 'Right.'])).rating).toBe(4);
    expect((await json(['purchases'])).purchases).toMatchObject([{ id, status: 'held', rail: 'wallet' }]);
  });

  it('buys by a link: waits until a person paid there, and collects', async () => {
    const { output, ended } = start(['buy', shop.listingId, '--pay', 'link', '--wait', ...LIMIT]);
    await expect.poll(() => output.stderr, { timeout: 30_000 }).toMatch(/To pay, open: http/);
    const [, url = ''] = /To pay, open: (\S+)/.exec(output.stderr) ?? [];
    await enterCard(url, GOOD_CARD);
    const { exitCode, stdout, stderr } = await ended;
    expect([exitCode, JSON.parse(stdout)], stderr).toMatchObject([0, CONTENT]);
  });

  it('pays in USDC, and keeps no payment whose outcome is known', async () => {
    const payer = generatePrivateKey();
    const { address } = privateKeyToAccount(payer);
    await place.chain?.control.mint(address, POCKET_UNITS);
    const env = { AGENT_MARKET_PAYER_KEY: payer };
    const { exitCode, stdout, stderr } = await run(['buy', shop.listingId, '--pay', 'usdc', ...LIMIT], env);
    expect([exitCode, JSON.parse(stdout || 'null')], stderr).toMatchObject([0, CONTENT]);
    expect(await place.chain?.control.balanceOf(address)).toBe(POCKET_UNITS - PRICE_UNITS);
    expect(await readdir(join(folder, '.config/agent-market/payments'))).toEqual([]);
  });

  it('keeps a payment in USDC that was stopped after it was signed, and sends that one again', async () => {
    const payer = generatePrivateKey();
    const { address } = privateKeyToAccount(payer);
    await place.chain?.control.mint(address, POCKET_UNITS);
    const { arrived, release } = holdSeller();
    const env = { AGENT_MARKET_PAYER_KEY: payer };
    const { child, ended } = start(['buy', shop.listingId, '--pay', 'usdc', ...LIMIT], env);
    await expect.poll(arrived, { timeout: 30_000 }).toBe(true);
    child.kill('SIGINT');
    const { exitCode, stderr } = await ended;
    release();
    const [, file = ''] = /agent-market resume '(.+)'/.exec(stderr) ?? [];
    expect([exitCode, stderr]).toEqual([130, expect.stringContaining('signed, and may be charged')]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const resumed = await run(['resume', file]);
    expect([resumed.exitCode, JSON.parse(resumed.stdout || 'null')], resumed.stderr).toMatchObject([
      0,
      CONTENT,
    ]);
    expect(await place.chain?.control.balanceOf(address)).toBe(POCKET_UNITS - PRICE_UNITS);
    expect((await run(['resume', file])).exitCode).toBe(2);
    // Both are this agent's, though the second was sent again by another command.
    const { purchases } = await json(['purchases']);
    expect(purchases.map(({ rail }: { rail: string }) => rail).slice(0, 2)).toEqual(['x402', 'x402']);
  });

  it('opens a tab, asks on it with a command each, and closes it', async () => {
    const payer = generatePrivateKey();
    const { address } = privateKeyToAccount(payer);
    await place.chain?.control.mint(address, 3n * POCKET_UNITS);
    const env = { AGENT_MARKET_PAYER_KEY: payer };
    const amount = String(3 * PRICE_CENTS);
    const { tabId, ...opened } = await json(['tab', 'open', shop.listingId, '--amount-cents', amount], env);
    expect(opened).toEqual({
      listingId: shop.listingId,
      amountCents: 3 * PRICE_CENTS,
      remainingMicros: Number(3n * PRICE_UNITS),
    });
    expect(await readdir(join(folder, '.config/agent-market/payments'))).toEqual([]);
    expect((await stat(join(folder, `.config/agent-market/tabs/${tabId}.json`))).mode & 0o777).toBe(0o600);
    const asked = ['tab', 'ask', tabId];
    expect(await json([...asked, '--query', '{"day":1}', '--output', 'tab.json'], env)).toMatchObject({
      content: CONTENT,
      priceMicros: Number(PRICE_UNITS),
    });
    expect(JSON.parse((await run([...asked, '--query', '{"day":2}'], env)).stdout)).toMatchObject(CONTENT);
    expect((await json(['verify', 'tab.json', '--keys', 'keys.json'])).files[0].checks).toMatchObject([
      { valid: true },
    ]);
    // Its payer's signature is all that a tab needs: the key may have been revoked since.
    const revoked = { ...env, AGENT_MARKET_KEY: `mkt_live_${'A'.repeat(43)}` };
    expect((await json([...asked, '--query', '{"day":3}'], revoked)).content).toMatchObject(CONTENT);
    const poor = await run([...asked, '--max-price-micros', '1', '--json'], env);
    expect([poor.exitCode, JSON.parse(poor.stdout).error]).toMatchObject([
      9,
      { code: 'price_above_max', charged: false, priceMicros: Number(PRICE_UNITS) },
    ]);
    expect(await json(['tab'])).toMatchObject({
      tabs: [{ tabId, listingId: shop.listingId, chargedMicros: Number(3n * PRICE_UNITS) }],
    });
    expect(await json(['tab', 'close', tabId], env)).toMatchObject({ closedAt: expect.any(String) });
    const ended = await run([...asked, '--json'], env);
    expect([ended.exitCode, JSON.parse(ended.stdout).error]).toMatchObject([
      8,
      { code: 'tab_closed', charged: false, message: expect.stringContaining(`${tabId} was closed at`) },
    ]);
    expect((await json(['tab'])).tabs).toEqual([]);
    const unknown = await run(['tab', 'ask', randomUUID()], env);
    expect([unknown.exitCode, unknown.stderr]).toEqual([7, expect.stringContaining('was opened with this')]);
  });

  it('tells how a purchase stands that is stopped with Ctrl-C after it was sent', async () => {
    const { arrived, release } = holdSeller();
    const { child, ended } = start(['buy', shop.listingId, '--pay', 'wallet', ...LIMIT]);
    await expect.poll(arrived, { timeout: 30_000 }).toBe(true);
    child.kill('SIGINT');
    const { exitCode, stderr } = await ended;
    release();
    expect(exitCode, stderr).toBe(130);
    expect(stderr).toMatch(/Stopped\. .*(reserved|recorded|charged)/);
    expect(stderr).toMatch(/agent-market purchases list --idempotency-key [\w-]{36}\n$/);
  });

  it('meets others at the door', async () => {
    const admitted = await json(['door', 'enter', '--class', 'COMMERCE', '--side', 'buy', '--once']);
    expect(admitted).toMatchObject({ type: 'ADMIT', side: 'buy' });
    expect((await json(['door', '--side', 'buy'])).occupancy.live_counterparties).toBe(1);
    await writeFile(join(folder, 'admission.json'), JSON.stringify(admitted));
    await writeFile(join(folder, 'door.json'), (await run(['door', 'keys'])).stdout);
    const offline = ['--keys', 'keys.json', '--door', 'door.json'];
    for (const from of [[], offline]) {
      const { files } = await json(['verify', 'admission.json', ...from]);
      expect(files[0].checks).toMatchObject([{ what: 'door receipt', valid: true }]);
    }
  });
});

/** The sample of the SDK's page that buys for money, as a program. */
async function tenLines(): Promise<string> {
  const page = await readFile('packages/sdk/README.md', 'utf8');
  const [, sample = ''] = /in ten lines:\n\n```ts\n(.*?)```/s.exec(page) ?? [];
  expect(sample.split('\n').filter((line) => !/^(import.*)?$/.test(line)).length).toBeLessThanOrEqual(10);
  return `const [baseUrl, apiKey] = process.argv.slice(2);\n${sample}`;
}

describe('the SDK, installed from its tarball into an empty folder', () => {
  it('buys, verifies and rates in ten lines on Node 20, and so the CLI finds it', async () => {
    const place20 = join(folder, 'ten-lines');
    const { tarball, manifest } = await packPackage(PUBLISHED.sdk, folder);
    await installAlone(tarball, Object.keys(manifest.dependencies ?? {}), place20);
    await writeFile(join(place20, 'ten-lines.mjs'), await tenLines());
    const config = await readFile(join(folder, '.config/agent-market/config.json'), 'utf8');
    const [apiKey = ''] = /mkt_live_\w+/.exec(config) ?? [];
    await fund();
    const node = runsHere ? programOf('node-20-linux-x64/bin/node') : process.execPath;
    const { stdout } = await execute(node, ['ten-lines.mjs', place.baseUrl, apiKey], { cwd: place20 });
    expect(JSON.parse(stdout)).toMatchObject(CONTENT);
    const { purchases } = await json(['purchases']);
    expect(purchases[0]).toMatchObject({ status: 'held', rail: 'wallet', amountCents: PRICE_CENTS });
    const { ratings } = await shop.buyer.listRatings({ listingId: shop.listingId });
    expect(ratings.map(({ rating }) => rating)).toContain(5);
    // Five programs are started for it, one after the other.
  }, 180_000);
});
