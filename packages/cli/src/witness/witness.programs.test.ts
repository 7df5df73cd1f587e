import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { StubLog } from '../../../sdk/src/testing/stub-log.ts';
import { createTwoFaced } from '../testing/two-faced-log.ts';
import { folderTrees } from './witnessed-trees.ts';

const folders: string[] = [];
const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const PROGRAM = join(import.meta.dirname, '../agent-market.ts');

async function startProgram(log: StubLog, folder: string) {
  const options = [
    '--folder',
    folder,
    '--name',
    'club.example/w1',
    '--log',
    log.vkey,
    '--port',
    '0',
    '--json',
  ];
  const child = spawn(process.execPath, [PROGRAM, 'witness', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, AGENT_MARKET_CONFIG: join(folder, 'config.json') },
  });
  children.add(child);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text) => resolve(String(text)));
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}`)));
  });
  return { child, url: (JSON.parse(line) as { url: string }).url };
}

it('programs that are killed and started again while two histories are submitted cosign one of them', async () => {
  const { log, requestFor } = await createTwoFaced();
  const folder = await mkdtemp(join(tmpdir(), 'witness-'));
  folders.push(folder);
  let round = 0;
  const signed: { branch: number; size: number }[] = [];
  for (const killAfterMs of [0, 3, 8, 20]) {
    const programs = await Promise.all([startProgram(log, folder), startProgram(log, folder)]);
    for (let submission = 0; submission < 6; submission++) {
      const tree = await folderTrees(join(folder, 'trees')).read('market.example/api/log');
      const size = Math.max(tree.size, 5) + 1 + submission;
      const both = [await requestFor(0, tree.size, size), await requestFor(1, tree.size, size)];
      const answers = both.map(async ({ request, branch }, at) => {
        const url = `${programs[(at + round) % 2]?.url}/add-checkpoint`;
        const answer = await fetch(url, { method: 'POST', body: request }).catch(() => null);
        if (answer?.status === 200 && (await answer.text())) signed.push({ branch, size });
      });
      if (submission === 5) {
        await new Promise((resolve) => setTimeout(resolve, killAfterMs));
        for (const { child } of programs) child.kill('SIGKILL');
      }
      await Promise.all(answers);
      round += 1;
    }
  }
  expect(signed.length).toBeGreaterThan(4);
  expect(new Set(signed.map(({ branch }) => branch)).size).toBe(1);
  expect(new Set(signed.map(({ size }) => size)).size).toBe(signed.length);
}, 120_000);
