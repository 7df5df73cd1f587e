import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli } from '@agent-marketplace/devkit/build-cli.ts';
import { samplesOf } from '@agent-marketplace/devkit/doc-samples/samples-of.ts';
import { type ExampleSeller, startExampleSeller } from '@agent-marketplace/devkit/example-seller.ts';
import { REPOSITORY } from '@agent-marketplace/devkit/repository.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from './free-port.ts';

// Samples of the guides, run as they stand there by a reader's shell. Not run here are those of pages that are not listed
// below, those that pay in docs/buy.md, and what sells an API on the web in docs/README.md.

const baseUrl = inject('sharedBaseUrl');
const ON_A_READERS_MACHINE = 'http://localhost:8787/api';

/** A page, which of its samples are run (by a text in them; all, if none is named), and what a reader sees then. */
const PAGES: readonly {
  page: string;
  only?: readonly RegExp[];
  without?: readonly RegExp[];
  prints: RegExp[];
}[] = [
  { page: 'README.md', only: [/^BASE=/], prints: [/"contentDigest":"/, /"type":"purchase_receipt"/] },
  {
    page: 'docs/README.md',
    without: [/weather\.example/],
    prints: [/"contentDigest": "sha256:/, /"buyerLabel": "/, /Planets/],
  },
  {
    page: 'docs/agents.md',
    prints: [/"text": "Do you have Brest as well\?"/, /"label": "night shift"/, /^id: \d/m],
  },
  { page: 'docs/protocol.md', prints: [/^Signature Verified Successfully$/m] },
  { page: 'docs/ingress.md', prints: [/^Signature Verified Successfully$/m] },
  { page: 'docs/inquiries.md', prints: [/"followUp":"/] },
  {
    page: 'docs/buy.md',
    only: [/found\.json/, /\/verticals/, /"city":"Lisbon"/],
    prints: [/"inputSchema"/, /"titles"/],
  },
];

/** Whatever is refused stays on record, also in a pipe. */
const PRELUDE = `
curl() { command curl --fail-with-body "$@" || { code=$?; [ $code != 22 ] || echo "$*" >> refused; return $code; }; }
agent-market() { node bin/agent-market.cjs "$@"; }
: > refused
`;

let folder: string;
let seller: ExampleSeller;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
  await cp(join(REPOSITORY, 'packages/cli/bin'), join(folder, 'bin'), { recursive: true });
  await buildCli(join(folder, 'dist/agent-market.js'));
  // As `dev` has it, with a world clock.
  seller = await startExampleSeller({ baseUrl, stateDir: folder });
});
afterAll(async () => {
  await seller?.close();
  await rm(folder, { recursive: true, force: true });
});

async function textOf(page: string): Promise<string> {
  const text = await readFile(join(REPOSITORY, page), 'utf8');
  return text.replaceAll(ON_A_READERS_MACHINE, baseUrl);
}

describe('the commands of', () => {
  it.each(PAGES)('$page', async ({ page, only = [/^/], without = [], prints }) => {
    const samples = samplesOf(await textOf(page), 'sh').filter(
      ({ text }) => only.some((one) => one.test(text)) && !without.some((one) => one.test(text)),
    );
    expect(samples.length).toBeGreaterThanOrEqual(only.length);
    const script = samples.map(({ text, firstLine }) => `echo "line ${firstLine}" > reached\n${text}`);
    await writeFile(join(folder, 'script'), [PRELUDE, ...script].join('\n'));
    const env = { PATH: process.env.PATH, HOME: folder, BASE: baseUrl, CI: '1' };
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) =>
      execFile('bash', ['-eu', 'script'], { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: `${stdout}\n${stderr}` }),
      ),
    );
    const reached = await readFile(join(folder, 'reached'), 'utf8');
    expect([code, await readFile(join(folder, 'refused'), 'utf8')], `${page}, ${reached}${output}`).toEqual([
      0,
      '',
    ]);
    for (const text of prints) expect(output).toMatch(text);
  });
});

describe('the programs of docs/README.md', () => {
  it('buy', async () => {
    const [sample] = samplesOf(await textOf('docs/README.md'), 'ts');
    const program = start(sample?.text ?? '');
    expect(await program.ended).toMatch(/^true \{/);
  });

  it('sell a greeting', async () => {
    const port = await freePort();
    const [, sample] = samplesOf(await textOf('docs/README.md'), 'ts');
    const program = start((sample?.text ?? '').replaceAll('9000', String(port)));
    try {
      const anyone = createMarketplaceClient({ baseUrl, retries: 0 });
      const seller = anyone.withApiKey((await anyone.registerSeller({ name: 'Greeter' })).apiKey ?? '');
      const callbackUrl = `http://localhost:${port}/deliver`;
      await vi.waitFor(() => seller.setDeliveryEndpoint({ callbackUrl }), { timeout: 20_000, interval: 200 });
      const { listing } = await seller.createListing({
        title: 'A greeting',
        description: 'It greets you by your name.',
        preview: {},
        priceCents: 0,
        consent: true,
      });
      const bought = await anyone.purchaseListing({ listingId: listing.id, query: { name: 'Ada' } });
      expect(bought.content).toMatchObject({ greeting: 'Hello, Ada.' });
    } finally {
      program.stop();
    }
  });
});

/** Runs a program in the repository, where the SDK is found. */
function start(text: string) {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-'], {
    cwd: REPOSITORY,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(text);
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(printed)));
  return { ended, stop: () => child.kill() };
}
