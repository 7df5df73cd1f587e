import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { initSeller } from '../../../packages/cli/src/init/init-seller.ts';
import { SELLER_TEMPLATES } from '../../../packages/cli/src/init/seller-templates.data.ts';
import { linkPackages } from '../../../packages/cli/src/testing/link-packages.ts';
import { freePort } from '../free-port.ts';

// Every project that `init seller` makes, as its page says: registers, serves, is listed, and sells one.

const run = promisify(execFile);
const WRANGLER = join(import.meta.dirname, '../../../node_modules/wrangler/bin/wrangler.js');

let root: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'seller-projects-'));
  await linkPackages(root);
});
afterAll(async () => {
  for (const child of started) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await rm(root, { recursive: true, force: true });
});

/** Resolves when the program prints this. */
async function start(folder: string, args: readonly [string, ...string[]], isReady: RegExp): Promise<void> {
  const [program, ...rest] = args;
  const child = spawn(program, rest, { cwd: folder, env: { PATH: process.env.PATH, HOME: root, CI: '1' } });
  started.push(child);
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk;
        if (isReady.test(printed)) resolve();
      });
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${printed}`)));
    child.once('error', reject);
  });
}

it.each(Object.keys(SELLER_TEMPLATES))('%s', async (template) => {
  const port = await freePort();
  const folder = join(root, `my-${template}`);
  await initSeller({ folder, template, marketplaceUrl: inject('sharedBaseUrl'), sdk: '1.0.0' });
  const environment = join(folder, '.env');
  await writeFile(environment, (await readFile(environment, 'utf8')).replaceAll('9000', String(port)));
  const isPython = template === 'python';
  const say = async (command: string) => {
    const [program, file] = isPython ? ['python3', 'seller.py'] : [process.execPath, 'marketplace.js'];
    return (await run(program, [file, command], { cwd: folder, env: { PATH: process.env.PATH } })).stdout;
  };

  expect(await say('register')).toMatch(/^Registered as seller [0-9a-f-]{36}\. The key is in \.env\./);
  expect(await say('register')).toContain('Registered before');
  if (isPython) await start(folder, ['python3', 'seller.py', 'serve'], /Serving /);
  else if (template === 'worker')
    await start(
      folder,
      [process.execPath, WRANGLER, 'dev', '--port', String(port), '--inspector-port', '0'],
      /Ready on /,
    );
  else await start(folder, [process.execPath, 'src/server.js'], /Serving /);

  expect(await say('list')).toMatch(/^For sale: [0-9a-f-]{36} \(active\)\. Buy one/);
  expect(await say('buy')).toMatch(/^(delivered|released): .*"illuminatedPercent":\s?100/);
  expect(await say('list')).toMatch(/^Changed: /);
});
