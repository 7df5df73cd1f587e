import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deliver } from '@agent-marketplace/core/delivery/deliver.ts';
import { signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, expect, it } from 'vitest';
import { createTestHarness } from 'wrangler';
import { freePort } from '../../../test/e2e/free-port.ts';
import { startSellerBench, WANTED } from '../../../test/sdk/seller-bench.ts';
import { buildCli } from './build-cli.ts';
import { REPOSITORY } from './repository.ts';

// What `agent-market gateway export` writes, put up as a user would, with the program as it is built.

/** Wrangler bundles the Worker and starts it three times: on a busy machine that is longer than other tests may take. */
const START_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
const { party, time, ports, target, close } = await startSellerBench(() => null);
/** More than one stored value of a Durable Object holds. */
const LONG_TEXT = '\u{1f327}'.repeat(700_000);
let upstreamRequests = 0;
const world = createServer((request, response) => {
  const isKeys = request.url === '/api/signing-key';
  const isKnown = request.headers['x-key'] === 's3cret-key';
  if (isKnown) upstreamRequests += 1;
  const answer = { path: request.url, text: LONG_TEXT, number: upstreamRequests };
  response
    .writeHead(isKeys || isKnown ? 200 : 401, { 'content-type': 'application/json' })
    .end(JSON.stringify(isKeys ? signingKeyDocument(party) : answer));
});
await new Promise<void>((resolve) => world.listen(0, '127.0.0.1', resolve));
const origin = `http://localhost:${(world.address() as AddressInfo).port}`;
cpSync(join(REPOSITORY, 'packages/cli/bin'), join(folder, 'bin'), { recursive: true });
await buildCli(join(folder, 'dist/agent-market.js'));
const stops: (() => unknown)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
  world.closeAllConnections();
  world.close();
  await close();
  rmSync(folder, { recursive: true });
});

function exportTo(kind: string, callbackUrl: string, ...options: readonly string[]): string {
  const upstream = {
    kind: 'http',
    method: 'get',
    url: `${origin}/of/{city}`,
    parameters: [{ member: 'city', name: 'city', in: 'path', style: 'simple', explode: false }],
    credentials: [{ in: 'header', name: 'x-key', env: 'KEY' }],
  };
  const config = {
    marketplace: `${origin}/api`,
    callbackUrl,
    sellerId: 's-1',
    listings: { 'l-1': { upstream } },
  };
  writeFileSync(join(folder, 'gateway.json'), JSON.stringify(config));
  const out = join(folder, kind);
  const args = [
    'bin/agent-market.cjs',
    'gateway',
    '--config',
    'gateway.json',
    'export',
    kind,
    out,
    ...options,
  ];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return out;
}

const PURCHASE = { sellerId: 's-1', purchaseId: crypto.randomUUID(), redelivery: 0 };

/** What the marketplace gets for the purchase. */
async function deliveredAt(callbackUrl: string, purpose = PURCHASE): Promise<unknown> {
  time.marketplace = Date.now();
  const request = { ...WANTED, query: { city: 'Brest' } };
  const outcome = await deliver(ports(), request, { ...target(callbackUrl), purpose });
  if (outcome.kind !== 'delivered') return outcome;
  const { text, ...answer } = JSON.parse(new TextDecoder().decode(outcome.content));
  return { ...answer, isWhole: text === LONG_TEXT };
}

async function expectDelivery(callbackUrl: string): Promise<void> {
  expect(await deliveredAt(callbackUrl)).toMatchObject({ path: '/of/Brest', isWhole: true });
}

it('a Worker delivers in the runtime of Workers', { timeout: START_MS }, async () => {
  const out = exportTo('worker', 'http://localhost/deliver');
  expect(readFileSync(join(out, 'wrangler.toml'), 'utf8')).toContain('npx wrangler secret put KEY');
  const start = () =>
    createTestHarness({
      root: out,
      workers: [{ configPath: 'wrangler.toml', secrets: { KEY: 's3cret-key' } }],
    });
  const first = start();
  const { url } = await first.listen();
  const callbackUrl = `${url.origin}/deliver`;
  stops.push(() => first.close());
  // Where it is put up decides what it is called: the address is known from then on.
  // The name that its seller gave it stays.
  const wrangler = join(out, 'wrangler.toml');
  writeFileSync(wrangler, readFileSync(wrangler, 'utf8').replace('"agent-market-gateway"', '"my-gateway"'));
  exportTo('worker', callbackUrl);
  expect(readFileSync(wrangler, 'utf8')).toContain('name = "my-gateway"');
  exportTo('worker', callbackUrl, '--force');
  expect(readFileSync(wrangler, 'utf8')).toContain('name = "agent-market-gateway"');
  const restart = () =>
    first.update({ root: out, workers: [{ configPath: 'wrangler.toml', secrets: { KEY: 's3cret-key' } }] });
  await restart();
  await expectDelivery(callbackUrl);
  const answer = await deliveredAt(callbackUrl);
  await restart();
  const [before, repeated] = [
    upstreamRequests,
    await deliveredAt(callbackUrl, { ...PURCHASE, redelivery: 1 }),
  ];
  expect([repeated, upstreamRequests]).toEqual([answer, before]);
});

it('a container file is without faults, and what it starts delivers', { timeout: START_MS }, async () => {
  const port = await freePort();
  const callbackUrl = `http://localhost:${port}/deliver`;
  const out = exportTo('container', callbackUrl);
  const dockerfile = readFileSync(join(out, 'Dockerfile'), 'utf8');
  const lint = createRequire(import.meta.url)('dockerfilelint');
  expect(lint.run(out, dockerfile)).toEqual([]);
  const copied = [...dockerfile.matchAll(/^COPY (?:--\S+ )?(.*) \.\/.*$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(readdirSync(out).toSorted()).toEqual(['Dockerfile', ...copied].toSorted());
  const [program = '', ...args] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
  expect(program).toBe('node');
  const running: ChildProcess = spawn(process.execPath, args, {
    cwd: out,
    env: { PORT: String(port), KEY: 's3cret-key', HOME: folder },
  });
  stops.push(() => running.kill());
  await expect
    .poll(
      () =>
        fetch(callbackUrl).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: START_MS / 2 },
    )
    .toBe(200);
  await expectDelivery(callbackUrl);
});
