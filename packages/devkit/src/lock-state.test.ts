import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockState } from './lock-state.ts';

let stateDir: string;
beforeEach(async () => {
  stateDir = join(await mkdtemp(join(tmpdir(), 'lock-')), 'state');
});
afterEach(() => rm(join(stateDir, '..'), { recursive: true }));

it('lets one in at a time', () => {
  const release = lockState(stateDir);
  expect(() => lockState(stateDir)).toThrow(/^Another marketplace is using the state in /);
  release();
  lockState(stateDir)();
});
