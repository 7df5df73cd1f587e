import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Puts a database's id wherever the database is named. */
export function withDatabaseId(toml: string, database: string, id: string): string {
  return toml
    .split(/^(?=\[)/m)
    .map((table) =>
      table.startsWith('[[d1_databases]]') && table.includes(`database_name = "${database}"`)
        ? table.replace(/^database_id = ".*"$/m, `database_id = "${id}"`)
        : table,
    )
    .join('');
}

/** Sets a variable under [vars], which is made if there is none. */
export function withVariable(toml: string, name: string, value: string): string {
  const line = `${name} = ${JSON.stringify(value)}`;
  const tables = toml.split(/^(?=\[)/m);
  const at = tables.findIndex((table) => /^\[vars\]/.test(table));
  const found = tables[at];
  if (found === undefined) {
    const [top = '', ...rest] = tables;
    return [`${top}[vars]\n${line}\n\n`, ...rest].join('');
  }
  const present = new RegExp(`^${name} = .*$`, 'm');
  tables[at] = present.test(found)
    ? found.replace(present, () => line)
    : found.replace(/^\[vars\]\n/, (head) => `${head}${line}\n`);
  return tables.join('');
}

/** Gives the Worker an address of its own in place of the one under workers.dev. */
export function withCustomDomain(toml: string, host: string): string {
  const line = `routes = [{ pattern = ${JSON.stringify(host)}, custom_domain = true }]`;
  if (/^routes = /m.test(toml)) return toml.replace(/^routes = .*$/m, () => line);
  return toml.replace(/^workers_dev = .*$/m, () => `workers_dev = false\n${line}`);
}

interface Files {
  readonly repository: string;
  readonly paths: readonly string[];
  /** False: only says what would be different. */
  readonly write: boolean;
}

/** Changes files in place; says which ones came out different. */
export async function editFiles(
  { repository, paths, write }: Files,
  edit: (toml: string, path: string) => string,
): Promise<string[]> {
  const changed: string[] = [];
  for (const path of paths) {
    const file = join(repository, path);
    const before = await readFile(file, 'utf8');
    const after = edit(before, path);
    if (after === before) continue;
    if (write) await writeFile(file, after);
    changed.push(path);
  }
  return changed;
}
