import { type FSWatcher, watch } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import type { Database } from '@agent-marketplace/core/kernel/ports/database.ts';
import { API_WORKER, type Marketplace, startMarketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { HAS_PROCESSES, isAlive, openFiles, runtimeOver } from '../runtime-process.ts';

/** Which process holds the databases is read from /proc, so that no other can be hit. */
export const CAN_BE_KILLED = HAS_PROCESSES;

export interface KillableMarketplace {
  /** The same after every restart, without a trailing slash. */
  readonly baseUrl: string;
  /** Of the runtime that is up now. */
  now(): Marketplace;
  market(): Promise<Database>;
  /** SIGKILL to the runtime: whatever it was in the middle of ends there. */
  kill(): void;
  /** The same at the next write to one of the databases: a commit is on its way to the disk, or just there. */
  killAtNextWrite(): Promise<void>;
  advanceClock(ms: number): Promise<void>;
  /** Up again over what the killed one left on disk. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startKillableMarketplace(): Promise<KillableMarketplace> {
  const stateDir = await realpath(await mkdtemp(join(tmpdir(), 'killed-marketplace-')));
  const remove = () => rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
  // The requests that a kill cuts short are no news.
  const onLog = () => {};
  let running: Marketplace;
  try {
    running = await startMarketplace({ port: 0, stateDir, onLog });
  } catch (error) {
    await remove();
    throw error;
  }
  const { baseUrl } = running;
  const port = Number(new URL(baseUrl).port);
  let runtime = runtimeOver(stateDir);
  let ended: Promise<void> | null = null;
  const kill = () => {
    process.kill(runtime, 'SIGKILL');
    // In the same turn, or Miniflare would take it for a crash and start another one itself.
    ended = running.close();
  };
  return {
    baseUrl,
    now: () => running,
    market: async () =>
      createDatabase((await running.miniflare.getD1Database('DB', API_WORKER)) as unknown as D1Database),
    kill,
    async killAtNextWrite() {
      const logs = [...new Set(openFiles(runtime).filter((path) => path.endsWith('.sqlite-wal')))];
      if (logs.length === 0) throw new Error('It has no database open.');
      const written = Promise.withResolvers<void>();
      const watchers: FSWatcher[] = logs.map((path) =>
        watch(path, () => {
          if (ended === null) kill();
          written.resolve();
        }),
      );
      await written.promise;
      for (const watcher of watchers) watcher.close();
    },
    advanceClock: (ms) => running.advanceClock(ms),
    async restart() {
      if (ended === null) throw new Error('It was not killed.');
      await ended;
      if (isAlive(runtime)) throw new Error('It is still running.');
      running = await startMarketplace({ port, stateDir, onLog });
      runtime = runtimeOver(stateDir);
      ended = null;
    },
    async close() {
      await (ended ?? running.close());
      await remove();
    },
  };
}
