import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOLDERS } from '../keys/put-key.ts';
import { REPOSITORY } from '../repository.ts';
import { beginAnotherLog } from './begin-another-log.ts';
import { findProblems, type StoredSecrets } from './check-configuration.ts';
import { deployEverything } from './deploy-everything.ts';
import { createFakeAccount, type FakeAccount } from './fake-account.ts';
import { setUp } from './set-up.ts';
import { SECRETS, VARIABLES } from './settings.data.ts';
import { readWorkerConfigs } from './worker-configs.ts';
import { rehearsal } from './wrangler.ts';

let repository: string;
let account: FakeAccount;
let said: string[];
let made: number;

/** The configuration files as they are in git, in a folder where they may be changed. */
beforeEach(async () => {
  repository = await mkdtemp(join(tmpdir(), 'cloudflare-'));
  for (const { path } of readWorkerConfigs()) {
    await cp(join(REPOSITORY, path), join(repository, path), { recursive: true });
  }
  account = createFakeAccount(repository);
  said = [];
  made = 0;
});
afterEach(() => rm(repository, { recursive: true }));

const workers = () => readWorkerConfigs(repository);
const say = (line: string) => said.push(line);
const deploy = (more: { isRehearsal?: boolean } = {}) =>
  deployEverything({
    wrangler: more.isRehearsal ? rehearsal(account, say) : account,
    workers: workers(),
    say,
    repository,
    ...more,
  });
const prepare = (given: Record<string, string> = {}, more: { isRehearsal?: boolean; url?: null } = {}) =>
  setUp({
    wrangler: more.isRehearsal ? rehearsal(account, say) : account,
    workers: workers(),
    say,
    url: 'https://market.example.com',
    location: 'weur',
    repository,
    secrets: {
      supplied: given,
      signingKey: async () => `key-${++made}`,
      password: () => `password-${++made}`,
    },
    ...more,
  });
const deployments = () => account.lines.filter((line) => line.startsWith('wrangler deploy'));
const secretsOf = (name: string) =>
  Object.fromEntries(
    [...account.workers].flatMap(([worker, { secrets }]) =>
      secrets.has(name) ? [[worker, secrets.get(name)]] : [],
    ),
  );

describe('beginning another log', () => {
  const begin = async (more: { isStolen?: boolean; isRehearsal?: boolean } = {}) => {
    const { secretJwk } = await generateSigningKey();
    await beginAnotherLog({
      wrangler: account,
      workers: workers(),
      say,
      newKey: async () => secretJwk,
      isStolen: false,
      repository,
      ...more,
    });
    return secretJwk;
  };
  const variables = () => workers().find(({ name }) => name === 'marketplace-log')?.vars;

  it('stores its key, numbers it, and says what to announce', async () => {
    await prepare();
    for (const [number, isStolen] of [
      [2, false],
      [3, true],
    ] as const) {
      said = [];
      const secret = await begin({ isStolen });
      expect(secretsOf(`LOG_SIGNING_KEY_${number}`)).toEqual({ 'marketplace-log': secret });
      expect(variables()).toMatchObject({
        LOG_NUMBER: String(number),
        LOG_FORMER_KEY_STOLEN: String(isStolen),
      });
      expect(said.join('\n')).toContain(`market.example.com/api/log/${number}+`);
    }
    // The key of the first is there still: it names the second, and what it signed verifies.
    expect(secretsOf('LOG_SIGNING_KEY')).toEqual({ 'marketplace-log': expect.any(String) });
    await deploy();
    expect(deployments()).not.toEqual([]);
  });

  it('changes nothing in a rehearsal, and nothing where the log has no name yet', async () => {
    for (const isRehearsal of [false, true])
      await expect(begin({ isRehearsal })).rejects.toThrow(
        /^PUBLIC_BASE_URL .* in a rehearsal as well\..*--local/,
      );
    await prepare();
    await begin({ isRehearsal: true });
    expect([secretsOf('LOG_SIGNING_KEY_2'), variables()?.LOG_NUMBER]).toEqual([{}, undefined]);
  });

  it('names in a rehearsal what would change, and no key, which is made when it is run', async () => {
    await prepare();
    const texts: string[] = [];
    for (const isStolen of [false, true]) {
      said = [];
      await begin({ isRehearsal: true, isStolen });
      texts.push(said.join('\n'));
    }
    for (const [index, text] of texts.entries()) {
      expect(text).not.toMatch(/log\/2\+|Announce it/);
      expect(text).toContain('LOG_SIGNING_KEY_2');
      expect(text).toContain('LOG_NUMBER = "2"');
      expect(text).toContain(`LOG_FORMER_KEY_STOLEN = "${index === 1}"`);
    }
  });
});

describe('setting up', () => {
  it('makes an empty account ready, and then has nothing to do', async () => {
    await prepare();
    expect([...account.databases.keys()]).toEqual(['market', 'search']);
    expect([...account.queues]).toEqual(['marketplace-jobs', 'marketplace-jobs-dead']);
    expect([...account.buckets].sort()).toEqual([
      'marketplace-attachments',
      'marketplace-backups',
      'marketplace-log',
    ]);
    expect(account.lines).toContain('wrangler d1 create market --location weur --update-config=false');
    for (const { path } of workers()) {
      expect(await readFile(join(repository, path), 'utf8')).not.toContain('00000000-0000');
    }
    account.lines.length = 0;
    await prepare();
    expect(account.lines).toEqual([]);
    await deploy();
  });

  it('gives each Worker that needs it the same secret, and shows those that have to be noted', async () => {
    await prepare();
    for (const [name, { workers: holders, required }] of Object.entries(SECRETS)) {
      const stored = secretsOf(name);
      expect(Object.keys(stored).sort(), name).toEqual(required ? [...holders].sort() : []);
      expect(new Set(Object.values(stored)).size).toBe(required ? 1 : 0);
      const shown = said.filter((line) => line.includes(`${name}=`));
      expect(shown.length, name).toBe(name === 'APP_SECRET' || name === 'ADMIN_SECRET' ? 1 : 0);
    }
    const values = [...account.workers.values()].flatMap(({ secrets }) => [...secrets.values()]);
    expect(new Set(values).size).toBe(5);
    expect(account.lines.join()).not.toMatch(/key-|password-/);
  });

  it('writes the address into every file that needs it, once', async () => {
    await prepare();
    await prepare();
    const vars = Object.fromEntries(workers().map(({ name, vars }) => [name, vars]));
    expect(vars['marketplace-api']).toEqual({
      SITE_URL: 'https://market.example.com',
      PUBLIC_BASE_URL: 'https://market.example.com/api',
    });
    expect(vars['marketplace-ingress']).toMatchObject({
      INGRESS_SHARDS: '1',
      PUBLIC_BASE_URL: 'https://market.example.com/api',
    });
    expect(vars['marketplace-jobs']).toEqual({ SITE_URL: 'https://market.example.com' });
    const api = await readFile(join(repository, 'wrangler.toml'), 'utf8');
    expect(api).toContain('routes = [{ pattern = "market.example.com", custom_domain = true }]');
    expect(api.match(/market\.example\.com/g)).toHaveLength(3);
    expect(api).toContain('workers_dev = false');
  });

  it('goes on where it was interrupted, and keeps what somebody noted', async () => {
    account.failing = 'secret put APP_SECRET --config workers/mcp';
    await expect(prepare()).rejects.toThrow('Failed: wrangler secret put APP_SECRET');
    account.failing = null;
    await expect(prepare()).rejects.toThrow(
      /APP_SECRET is not stored with marketplace-mcp.* in the environment/s,
    );
    const { 'marketplace-api': noted = '' } = secretsOf('APP_SECRET');
    await prepare({ APP_SECRET: noted });
    expect(new Set(Object.values(secretsOf('APP_SECRET')))).toEqual(new Set([noted]));
    await deploy();
  });

  it('takes no failure for absence', async () => {
    await prepare();
    for (const question of ['d1 list', 'queues info', 'r2 bucket info', 'secret list']) {
      account.failing = question;
      account.lines.length = 0;
      await expect(prepare()).rejects.toThrow('Something else');
      expect(account.lines).toEqual([]);
    }
  });

  it('changes nothing in a rehearsal', async () => {
    await prepare({}, { isRehearsal: true });
    expect(account.lines).toEqual([]);
    expect(said.join()).not.toContain('password-');
    expect(workers()).toEqual(
      readWorkerConfigs().map((worker) => expect.objectContaining({ name: worker.name, vars: worker.vars })),
    );
    expect(said).toContain('  would run: wrangler d1 create market --location weur --update-config=false');
  });

  it.each(['http://market.example.com', 'https://market.example.com/api', 'market.example.com'])(
    'refuses %s as an address before anything is created',
    async (url) => {
      await expect(prepare({}, { url } as never)).rejects.toThrow('--url takes the address of the site');
      expect(account.lines).toEqual([]);
    },
  );
});

describe('deploying', () => {
  it('works on the first day, when nothing exists that Workers are bound to', async () => {
    await prepare();
    account.lines.length = 0;
    await deploy();
    expect(account.lines.slice(0, 2)).toEqual([
      'wrangler d1 migrations apply market --remote',
      'wrangler d1 migrations apply search --remote',
    ]);
    expect(deployments().at(0)).toBe('wrangler deploy --config workers/ingress/wrangler.toml');
    expect(deployments().at(1)).toBe('wrangler deploy --config workers/log/wrangler.toml');
    expect(deployments().at(2)).toBe('wrangler deploy --config workers/relay/wrangler.toml');
    expect(deployments().at(3)).toBe('wrangler deploy --config workers/treasury/wrangler.toml');
    expect(deployments().at(4)).toBe('wrangler deploy --config workers/uploads/wrangler.toml');
    expect(deployments().at(5)).toBe('wrangler deploy --config .first-deployment.toml');
    expect(deployments().at(-1)).toBe('wrangler deploy --config wrangler.toml');
    for (const worker of workers()) {
      expect(account.workers.get(worker.name)?.services, worker.name).toEqual(worker.services);
    }
    expect(await readdir(repository)).not.toContain('.first-deployment.toml');
  });

  it('deploys each Worker once from then on, owners of objects before those who call them', async () => {
    await prepare();
    await deploy();
    account.lines.length = 0;
    await deploy();
    expect(deployments()).toEqual(
      [
        'workers/ingress/',
        'workers/log/',
        'workers/relay/',
        'workers/treasury/',
        'workers/uploads/',
        '',
        'workers/jobs/',
        'workers/site/',
        'workers/x402/',
        'workers/mcp/',
      ].map((folder) => `wrangler deploy --config ${folder}wrangler.toml`),
    );
  });

  it('stops at any failure, and is whole after being repeated', async () => {
    await prepare();
    account.lines.length = 0;
    await deploy();
    const steps = [...account.lines];
    for (const step of steps) {
      const { workers: before } = account;
      const drafts = [...before].filter(([name]) => name !== 'marketplace-site');
      for (const [, worker] of drafts) worker.services = null;
      before.delete('marketplace-site');
      account.lines.length = 0;
      account.failing = step;
      await expect(deploy()).rejects.toThrow(`Failed: ${step}`);
      expect(account.lines).toEqual(steps.slice(0, steps.indexOf(step) + 1));
      account.failing = null;
      await deploy();
      for (const worker of workers()) {
        expect(account.workers.get(worker.name)?.services, worker.name).toEqual(worker.services);
      }
    }
    expect(steps.length).toBe(13);
  });

  it.each([
    ['nobody is logged in', () => Object.assign(account, { loggedIn: false }), 'Not logged in'],
    [
      'a secret is missing',
      () => account.workers.get('marketplace-x402')?.secrets.delete('APP_SECRET'),
      'APP_SECRET is missing in marketplace-x402',
    ],
    [
      'a Worker was removed',
      () => account.workers.delete('marketplace-jobs'),
      'SIGNING_KEY is missing in marketplace-jobs',
    ],
    [
      'a queue is missing',
      () => account.queues.delete('marketplace-jobs-dead'),
      'There is no queue marketplace-jobs-dead',
    ],
    ['the bucket is missing', () => account.buckets.clear(), 'There is no R2 bucket marketplace-attachments'],
    ['a database is missing', () => account.databases.delete('search'), 'There is no database search'],
    [
      'a database is another',
      () => account.databases.set('market', 'other'),
      'The id of the database market is other',
    ],
    [
      'a Worker cannot be bundled',
      () => Object.assign(account, { failing: 'deploy --dry-run --config workers/mcp' }),
      'cannot be bundled',
    ],
  ] as const)('changes nothing when %s', async (_, breakIt, message) => {
    await prepare();
    breakIt();
    account.lines.length = 0;
    await expect(deploy()).rejects.toThrow(message);
    expect(account.lines).toEqual([]);
  });

  it('refuses the placeholders of a fresh clone', async () => {
    await expect(deploy()).rejects.toThrow(/database market is still a placeholder.*database search/s);
    expect(account.lines).toEqual([]);
  });

  it('shows every step in a rehearsal, asks for no account and changes nothing', async () => {
    account.loggedIn = true;
    await deploy({ isRehearsal: true });
    expect(account.lines).toEqual([]);
    expect(said.filter((line) => line.includes('would run: wrangler deploy'))).toHaveLength(11);
    expect(said.at(-1)).toBe('Nothing was changed.');
  });
});

describe('the check', () => {
  const complete = (): StoredSecrets =>
    new Map(
      workers().map(({ name }) => [
        name,
        new Set(
          Object.keys(SECRETS).filter(
            (secret) => SECRETS[secret]?.required && SECRETS[secret]?.workers.includes(name),
          ),
        ),
      ]),
    );
  const edit = async (path: string, change: (toml: string) => string) => {
    const file = join(repository, path);
    await writeFile(file, change(await readFile(file, 'utf8')));
  };

  it('names only Workers that exist', () => {
    const names = workers().map(({ name }) => name);
    const holders = [...Object.values(SECRETS), ...Object.values(VARIABLES)].flatMap((one) => one.workers);
    expect(holders.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('leaves the relay without data and secrets, and has every Worker that sells call it', () => {
    const relay = workers().find(({ name }) => name === 'marketplace-relay');
    expect(relay).toMatchObject({
      vars: {},
      databases: [],
      queues: [],
      buckets: [],
      services: [],
      objectsOf: [],
    });
    const told = [...Object.values(SECRETS), ...Object.values(VARIABLES)].flatMap((one) => one.workers);
    expect(told).not.toContain('marketplace-relay');
    const callers = workers().filter(({ services }) => services.includes('marketplace-relay'));
    expect(callers.map(({ name }) => name).sort()).toEqual([...(SECRETS.APP_SECRET?.workers ?? [])].sort());
  });

  it('agrees with the command that rotates keys', () => {
    for (const [name, { publisher, signers }] of Object.entries(HOLDERS)) {
      const paths = workers()
        .filter((worker) => SECRETS[name]?.workers.includes(worker.name))
        .map(({ path }) => path);
      expect([publisher, ...signers].sort(), name).toEqual(paths.sort());
    }
  });

  it.each([
    [
      'wrangler.toml',
      '[vars]\n',
      '[vars]\nMAIL_FROM = "a@example.com"\n',
      /MAIL_FROM is missing in .*jobs.*mcp/,
    ],
    [
      'wrangler.toml',
      '[vars]\n',
      '[vars]\nPOLICY_TERMS_URL = "http://operator.example/terms"\n',
      /POLICY_TERMS_URL is http:.*https:\/\/<host>\/<path>/,
    ],
    [
      'wrangler.toml',
      '[vars]\n',
      '[vars]\nSELLER_ENDPOINTS = "loopback"\n',
      /SELLER_ENDPOINTS, which is for development/,
    ],
    [
      'wrangler.toml',
      'invocation_logs = false',
      'invocation_logs = true',
      /capabilities would be in the log/,
    ],
    ['workers/site/wrangler.toml', 'redact_query_string = true', '', /capabilities would be in the log/],
    ['workers/mcp/wrangler.toml', '[vars]\n', '[vars]\nAPP_SECRET = "x"\n', /holds APP_SECRET: take it out/],
    [
      'workers/mcp/wrangler.toml',
      'market.example.com',
      'other.example.com',
      /PUBLIC_BASE_URL differs between Workers/,
    ],
    [
      'workers/x402/wrangler.toml',
      '/api"',
      '"',
      /PUBLIC_BASE_URL is https:\/\/market.example.com, and has to be like/,
    ],
    [
      'workers/mcp/wrangler.toml',
      '"1001", simple = { limit = 600,',
      '"1001", simple = { limit = 700,',
      /RATE_READ allows 700 in 60 seconds, and RATE_LIMITS 600 in 60/,
    ],
    [
      'wrangler.toml',
      '[vars]\n',
      `[vars]\nRATE_LIMITS = '{"x402":{"limit":60,"windowSeconds":60}}'\n`,
      /RATE_X402_WIDE allows 300 in 60 seconds, and RATE_LIMITS 600 in 60/,
    ],
    [
      'workers/jobs/wrangler.toml',
      /database_id = ".*1"/,
      'database_id = "another"',
      /The database search has different ids/,
    ],
  ])('finds in %s that %j became %j', async (path, before, after, problem) => {
    await prepare();
    expect(findProblems(workers(), complete())).toEqual([]);
    await edit(path, (toml) => toml.replace(before, after));
    expect(findProblems(workers(), complete()).join('\n')).toMatch(problem);
  });

  it('wants cards whole or not at all', async () => {
    await prepare();
    const stored = complete() as Map<string, Set<string>>;
    for (const name of SECRETS.STRIPE_SECRET_KEY?.workers ?? []) stored.get(name)?.add('STRIPE_SECRET_KEY');
    expect(findProblems(workers(), stored).join()).toContain(
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together',
    );
  });
});

it('leaves every file as it can be read by wrangler', async () => {
  await prepare();
  const after = workers();
  const before = readWorkerConfigs();
  expect(
    after.map(({ services, objectsOf, queues, buckets }) => ({ services, objectsOf, queues, buckets })),
  ).toEqual(
    before.map(({ services, objectsOf, queues, buckets }) => ({ services, objectsOf, queues, buckets })),
  );
  expect(new Set(after.map(({ path }) => dirname(path))).size).toBe(before.length);
});
