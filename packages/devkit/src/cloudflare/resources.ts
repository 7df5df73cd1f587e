import { RefusalToStart } from '../refusal-to-start.ts';
import { resourcesOf, type WorkerConfig } from './worker-configs.ts';
import type { Wrangler } from './wrangler.ts';

export interface Resources {
  /** By name; null: to be created. */
  readonly databaseIds: ReadonlyMap<string, string | null>;
  readonly missingQueues: readonly string[];
  readonly missingBuckets: readonly string[];
}

/** Asks what there is of all that the Workers are bound to. */
export async function readResources(
  wrangler: Wrangler,
  workers: readonly WorkerConfig[],
): Promise<Resources> {
  const { databases, queues, buckets } = resourcesOf(workers);
  const ids = await readDatabaseIds(wrangler);
  return {
    databaseIds: new Map(databases.map((name) => [name, ids.get(name) ?? null])),
    missingQueues: await missing(wrangler, queues, (name) => ['queues', 'info', name]),
    missingBuckets: await missing(wrangler, buckets, (name) => ['r2', 'bucket', 'info', name, '--json']),
  };
}

export async function readDatabaseIds(wrangler: Wrangler): Promise<ReadonlyMap<string, string>> {
  const { ok, stdout, said } = await wrangler.ask(['d1', 'list', '--json']);
  if (!ok) throw new RefusalToStart(`Could not ask for the D1 databases.\n${said}`);
  return new Map(
    (JSON.parse(stdout) as { name: string; uuid: string }[]).map(({ name, uuid }) => [name, uuid]),
  );
}

async function missing(
  wrangler: Wrangler,
  names: readonly string[],
  question: (name: string) => string[],
): Promise<string[]> {
  const absent: string[] = [];
  for (const name of names) {
    const { ok, said } = await wrangler.ask(question(name));
    if (ok) continue;
    // Anything else, as a lack of rights, must not be taken for absence.
    if (!/does not exist/i.test(said)) throw new RefusalToStart(`Could not ask for ${name}.\n${said}`);
    absent.push(name);
  }
  return absent;
}

/** What a deployment would not find, in the words of a list of problems. */
export function resourceProblems(workers: readonly WorkerConfig[], resources: Resources): string[] {
  const inFiles = new Map(workers.flatMap(({ databases }) => databases.map(({ name, id }) => [name, id])));
  return [
    ...[...resources.databaseIds].flatMap(([name, id]) => {
      if (id === null) return [`There is no database ${name}.`];
      return id === inFiles.get(name)
        ? []
        : [`The id of the database ${name} is ${id}, not ${inFiles.get(name)}.`];
    }),
    ...resources.missingQueues.map((name) => `There is no queue ${name}.`),
    ...resources.missingBuckets.map((name) => `There is no R2 bucket ${name}.`),
  ];
}
