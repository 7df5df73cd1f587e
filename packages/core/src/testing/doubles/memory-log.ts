import { DatabaseSync } from 'node:sqlite';
import { noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
import { createLogTree } from '../../adapters/durable/log-tree.ts';
import { createSigner } from '../../adapters/keys/keyring.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { LogFiles, LogTree, Witness } from '../../kernel/ports/transparency/transparency-log.ts';
import { type LogPorts, newSinceStart } from '../../transparency/index.ts';
import { TEST_OTHER_SIGNING_KEY } from '../marketplace/test-bindings.ts';
import { FakeClock } from './fake-clock.ts';

export const TEST_LOG_ORIGIN = 'market.test/api/log';

/** The tree of the log's object, in SQLite in this process: the statements are those that the object runs. */
function openMemoryTree(): Promise<LogTree> {
  const sqlite = new DatabaseSync(':memory:');
  return createLogTree({
    exec: (sql, ...values) => sqlite.prepare(sql).all(...values),
    transaction(run) {
      sqlite.exec('BEGIN IMMEDIATE');
      try {
        const result = run();
        sqlite.exec('COMMIT');
        return result;
      } catch (error) {
        sqlite.exec('ROLLBACK');
        throw error;
      }
    },
  });
}

/** The bucket of the log in memory. */
class MemoryLogFiles implements LogFiles {
  readonly tiles = new Map<string, Uint8Array>();
  #checkpoint: { text: string; version: string } | null = null;
  #versions = 0;

  /** As it is served; null: none was published. */
  get checkpoint(): string | null {
    return this.#checkpoint?.text ?? null;
  }

  async read(path: string): Promise<Uint8Array | null> {
    return this.tiles.get(path) ?? null;
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.tiles.set(path, bytes);
  }

  async list(prefix: string): Promise<string[]> {
    return [...this.tiles.keys()].filter((path) => path.startsWith(prefix));
  }

  async delete(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.tiles.delete(path);
  }

  async readCheckpoint() {
    return this.#checkpoint;
  }

  async replaceCheckpoint(text: string, version: string | null): Promise<boolean> {
    if ((this.#checkpoint?.version ?? null) !== version) return false;
    this.#versions += 1;
    this.#checkpoint = { text, version: `v${this.#versions}` };
    return true;
  }
}

/** A log over a database, with the key of `TEST_OTHER_SIGNING_KEY`. */
export async function createMemoryLog(market: Database, witnesses: readonly Witness[] = []) {
  const files = new MemoryLogFiles();
  const clock = new FakeClock();
  const errors: string[] = [];
  const ports: LogPorts = {
    market,
    clock,
    log: { info: () => {}, error: (event) => void errors.push(event) },
    tree: await openMemoryTree(),
    files,
    signers: [await noteSignerOf(createSigner(TEST_OTHER_SIGNING_KEY), TEST_LOG_ORIGIN, 1)],
    witnesses,
    sinceStart: newSinceStart(),
    formers: [],
  };
  return { ports, files, clock, errors };
}
