import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RefusalToStart } from './refusal-to-start.ts';

/**
 * Keeps a second marketplace off the same folder of state. The lock is the operating system's, on an empty
 * SQLite file: whatever becomes of this process, none is left behind.
 *
 * @returns what releases it.
 */
export function lockState(stateDir: string): () => void {
  mkdirSync(stateDir, { recursive: true });
  const database = new DatabaseSync(join(stateDir, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new RefusalToStart(
      `Another marketplace is using the state in ${stateDir}. Stop it, or choose another folder with STATE_DIR.`,
    );
  }
  return () => database.close();
}
