import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { buildCli } from './build-cli.ts';
import { REPOSITORY } from './repository.ts';

// As it is installed: the launcher and what is built, without the repository and its packages.

const folder = mkdtempSync(join(tmpdir(), 'cli-'));
const launcher = join(folder, 'bin/agent-market.cjs');
cpSync(join(REPOSITORY, 'packages/cli/bin'), join(folder, 'bin'), { recursive: true });
await buildCli(join(folder, 'dist/agent-market.js'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: string, env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE: process.execPath, CLI: launcher, HOME: folder, ...env },
  });
  return { status, stdout, stderr };
};

describe('the program as it is installed', () => {
  it('stands alone', () => {
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'packages/cli/package.json'), 'utf8'));
    expect(run('$NODE $CLI --version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    const { status, stderr } = run('$NODE $CLI wallte');
    expect([status, stderr]).toEqual([2, expect.stringContaining("unknown command 'wallte'")]);
  });

  it('reads YAML', () => {
    writeFileSync(join(folder, 'none.yaml'), 'openapi: 3.1.0\ninfo: {title: None}\n');
    const { status, stderr } = run(`$NODE $CLI sell openapi ${join(folder, 'none.yaml')} --price free`);
    expect([status, stderr]).toEqual([2, expect.stringContaining('The document has no operations')]);
  });

  it('loads for a command what that needs, not what selling does', () => {
    const loaded = new Map<string, number>();
    const load = (path: string) => {
      if (loaded.has(path)) return;
      const source = readFileSync(path, 'utf8');
      loaded.set(path, source.length);
      for (const [, next = ''] of source.matchAll(/^(?:import|\} from|export .* from) ?"(\.\S*)";$/gm))
        load(join(path, '..', next));
    };
    load(join(folder, 'dist/agent-market.js'));
    expect(loaded.size).toBeGreaterThan(1);
    expect([...loaded.values()].reduce((sum, length) => sum + length)).toBeLessThan(500_000);
  });

  it('brings the licences of what it bundles', () => {
    const licences = readFileSync(join(folder, 'dist/third-party-licences.txt'), 'utf8');
    for (const name of ['commander', '@clack/prompts', 'cli-table3', 'picocolors', 'viem', '@noble/hashes']) {
      expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\((MIT|ISC)\\)$`, 'm'));
    }
  });

  it('ends in silence when the reader of a pipe has enough', () => {
    // The reader is gone before the first byte.
    const { stdout, stderr } = run('set -o pipefail; (sleep 0.5; exec $NODE $CLI --help) | true; echo $?');
    expect([stdout, stderr]).toEqual(['0\n', '']);
  });

  it.each(['', 'import {'])('tells of a broken tarball, whose program is %j, in one sentence', (program) => {
    const broken = join(folder, 'broken');
    cpSync(join(folder, 'bin'), join(broken, 'bin'), { recursive: true });
    if (program !== '') cpSync(join(folder, 'dist'), join(broken, 'dist'), { recursive: true });
    if (program !== '') writeFileSync(join(broken, 'dist/agent-market.js'), program);
    const { status, stdout, stderr } = run('$NODE $CLI --version', {
      CLI: join(broken, 'bin/agent-market.cjs'),
    });
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(
        /^agent-market is not installed completely \(\w+\)\. Install it again: [^\n]+\n$/,
      ),
    ]);
  });

  it('tells an old Node before that meets syntax that it does not know', () => {
    const source = readFileSync(launcher, 'utf8')
      .replace(/^#!.*/, '')
      .replace(/^import\(.*/m, 'start();');
    const startedBy = (node: string) => {
      const output: unknown[] = [];
      const process = {
        versions: { node },
        stderr: { write: (text: string) => output.push(text) },
        exit: (code: number) => {
          output.push(code);
          throw new Error('exit');
        },
      };
      try {
        runInNewContext(source, { process, start: () => output.push('started') });
      } catch {}
      return output;
    };
    for (const node of ['8.17.0', '18.20.4', '20.11.1']) {
      expect(startedBy(node)).toEqual([expect.stringContaining(`this is Node ${node}`), 1]);
    }
    for (const node of ['20.12.0', '24.1.0']) expect(startedBy(node)).toEqual(['started']);
  });
});
