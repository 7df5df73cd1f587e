import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { describe, expect, inject, it } from 'vitest';
import { launch } from '../site/looks.ts';
import { programOf, runsHere } from './runtime-programs.ts';

// One program, with the package as it would be published, in every runtime that the package is for.

const run = promisify(execFile);
const installed = inject('installed');
const baseUrl = inject('stubBaseUrl');
const chromium = inject('chromiumPath');

const OUTCOME = {
  bought: { low: '04:12' },
  receipt: true,
  forged: false,
  refused: 'listing_not_found',
  paidCents: 3,
  // Of the program's fixed secret and terms.
  sig: expect.stringMatching(/^[0-9a-f]{128}$/),
  delivered: { data: { asked: { of: 'ü' }, __sha256: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) } },
};

const RUNTIMES: readonly (readonly [name: string, program: string, version: string, ...args: string[]])[] = [
  ['Node 20', 'node-20-linux-x64/bin/node', 'v20.'],
  ['Node 24', process.execPath, 'v24.'],
  ['Bun', '@oven/bun-linux-x64-baseline/bin/bun', '1.'],
  [
    'Deno',
    '@deno/linux-x64-glibc/deno',
    'deno 2.',
    'run',
    '--quiet',
    '--no-remote',
    '--allow-net',
    '--allow-env',
  ],
];

describe('the SDK, installed from its tarball alone', () => {
  it.skipIf(!runsHere).each(RUNTIMES)(
    'buys, verifies, pays and sells on %s',
    async (_, program, version, ...args) => {
      const path = programOf(program);
      const { stdout: its } = await run(path, ['--version']);
      expect(its.startsWith(version), its).toBe(true);
      const { stdout } = await run(path, [...args, 'main.mjs', baseUrl], { cwd: installed });
      expect(JSON.parse(stdout)).toEqual(OUTCOME);
    },
  );

  it('does so in workerd', async () => {
    const script = await bundle('worker.mjs', { format: 'esm', conditions: ['workerd', 'worker'] });
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        modules: [{ type: 'ESModule', path: 'index.js', contents: script }],
        compatibilityDate: '2026-10-01',
        cf: false,
      }),
    );
    try {
      const response = await miniflare.dispatchFetch(`http://x/?baseUrl=${encodeURIComponent(baseUrl)}`);
      expect(await response.json()).toEqual(OUTCOME);
    } finally {
      await miniflare.dispose();
    }
  });

  it.skipIf(chromium === null)('does so in a browser', async () => {
    const script = await bundle('consumer.mjs', { format: 'iife', globalName: 'program' });
    const browser = await launch(chromium ?? '');
    try {
      const page = await browser.newPage();
      const origin = new URL(baseUrl).origin;
      await page.route(`${origin}/page`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>x' }),
      );
      await page.goto(`${origin}/page`);
      await page.addScriptTag({ content: script });
      // biome-ignore lint/suspicious/noExplicitAny: the global of the script above.
      const outcome = await page.evaluate((its) => (globalThis as any).program.consume(its), baseUrl);
      expect(outcome).toEqual(OUTCOME);
    } finally {
      await browser.close();
    }
  });
});

async function bundle(entry: string, options: Parameters<typeof build>[0]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(installed, entry)],
    bundle: true,
    write: false,
    target: 'es2023',
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
}
