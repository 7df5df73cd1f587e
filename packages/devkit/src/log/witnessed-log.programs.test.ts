import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startLocalWitness } from './witnessed-log.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-witness-'));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

it('ends with the process that started it, when that was killed', async () => {
  const module = pathToFileURL(join(import.meta.dirname, 'witnessed-log.ts')).href;
  const script = join(folder, 'parent.mjs');
  await writeFile(
    script,
    `const { startLocalWitness } = await import(${JSON.stringify(module)});
    console.log((await startLocalWitness(${JSON.stringify(folder)})).witness.url);`,
  );
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout, 'data');
  const url = String(line).trim();
  expect(await answers(url)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  while (await answers(url)) await setImmediate();
  const log = await startLocalWitness(folder);
  expect(log.witness.url).toBe(url);
  await log.close();
});

it('takes another port where its own was taken meanwhile', async () => {
  const first = await startLocalWitness(folder);
  await first.close();
  const port = Number(new URL(first.witness.url).port);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, new URL(first.witness.url).hostname, resolve));
  const log = await startLocalWitness(folder);
  expect(log.witness.url).not.toBe(first.witness.url);
  expect(log.witness.vkey).toBe(first.witness.vkey);
  await log.close();
  await new Promise((resolve) => other.close(resolve));
});
