import { RefusalToStart } from '../refusal-to-start.ts';
import { REPOSITORY } from '../repository.ts';
import { editFiles, withCustomDomain, withDatabaseId, withVariable } from './edit-configs.ts';
import { makeSecrets, type NewSecrets } from './make-secrets.ts';
import { readDatabaseIds, readResources } from './resources.ts';
import { ADDRESSED, VARIABLES } from './settings.data.ts';
import { readStoredSecrets } from './stored-secrets.ts';
import type { WorkerConfig } from './worker-configs.ts';
import { requireAccount, runStep, type Wrangler } from './wrangler.ts';

export interface SetUp {
  readonly wrangler: Wrangler;
  readonly workers: readonly WorkerConfig[];
  readonly say: (line: string) => void;
  readonly secrets: NewSecrets;
  /** Where the site will be, `https://<host>`; null leaves addresses as they are in the files. */
  readonly url: string | null;
  /** The location of the databases and the bucket; null lets Cloudflare choose. */
  readonly location: string | null;
  /** Files are not written either. */
  readonly isRehearsal?: boolean;
  readonly repository?: string;
}

const REPEAT = 'Fix that and repeat the command: it keeps what was created.';

/** Creates what is missing in the account. Repeating it changes nothing. */
export async function setUp(options: SetUp): Promise<void> {
  const { wrangler, workers, say, repository = REPOSITORY } = options;
  const paths = workers.map(({ path }) => path);
  const host = options.url === null ? null : hostOf(options.url);
  await requireAccount(wrangler);

  say('1. Databases, queues, bucket');
  const resources = await readResources(wrangler, workers);
  const place = options.location === null ? [] : ['--location', options.location];
  const create = (...args: string[]) => runStep(wrangler, args, REPEAT);
  for (const [name, id] of resources.databaseIds) {
    if (id === null) await create('d1', 'create', name, ...place, '--update-config=false');
  }
  for (const name of resources.missingQueues) await create('queues', 'create', name);
  for (const name of resources.missingBuckets) {
    await create('r2', 'bucket', 'create', name, ...place, '--update-config=false');
  }

  say('2. Configuration files');
  const ids = await readDatabaseIds(wrangler);
  const changed = await editFiles({ repository, paths, write: !options.isRehearsal }, (toml, path) => {
    const worker = workers.find((one) => one.path === path);
    const withIds = (worker?.databases ?? []).reduce((text, { name }) => {
      const id = ids.get(name);
      return id === undefined ? text : withDatabaseId(text, name, id);
    }, toml);
    return host === null || !worker ? withIds : withAddress(withIds, worker.name, host);
  });
  for (const path of changed) say(`  ${options.isRehearsal ? 'would change' : 'wrote'} ${path}`);

  say('3. Secrets');
  await makeSecrets({ ...options, stored: await readStoredSecrets(wrangler, workers) });
  say(
    options.isRehearsal
      ? 'Nothing was changed.'
      : 'Ready. Keep the changed files in git; next: `cloudflare deploy`.',
  );
}

function hostOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === 'https:' && url.replace(/\/$/, '') === parsed.origin) return parsed.host;
  throw new RefusalToStart('--url takes the address of the site, like https://market.example.com.');
}

function withAddress(toml: string, worker: string, host: string): string {
  const addresses = { SITE_URL: `https://${host}`, PUBLIC_BASE_URL: `https://${host}/api` };
  const text = Object.entries(addresses).reduce(
    (before, [name, url]) =>
      VARIABLES[name]?.workers.includes(worker) ? withVariable(before, name, url) : before,
    toml,
  );
  return worker === ADDRESSED ? withCustomDomain(text, host) : text;
}
