import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The value of a JSON file that only this program writes; null if there is no such file. */
export async function readJson<T>(file: string): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    // Starting over in silence would lose keys, and quoting the file would show them.
    throw new Error(`${file} is not JSON. Repair it, or remove it to start afresh.`);
  }
}

/** Readable by its owner only, and never half written. */
export async function writePrivateJson(file: string, value: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
}
