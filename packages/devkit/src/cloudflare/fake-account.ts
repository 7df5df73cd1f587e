import { readWorkerConfig } from './worker-configs.ts';
import { lineOf, type Wrangler } from './wrangler.ts';

/** What there is in an account of Cloudflare, as far as a deployment sees it. */
export interface FakeAccount extends Wrangler {
  loggedIn: boolean;
  readonly databases: Map<string, string>;
  readonly queues: Set<string>;
  readonly buckets: Set<string>;
  /** By Worker: its secrets, and what it was deployed with; `null` is an empty Worker that only holds secrets. */
  readonly workers: Map<string, { secrets: Map<string, string>; services: readonly string[] | null }>;
  /** Everything that changed something or tried to, in order. */
  readonly lines: string[];
  /** Commands that contain this text fail. */
  failing: string | null;
}

/** Refuses what Cloudflare refuses: Workers that are bound to what does not exist. */
export function createFakeAccount(repository: string): FakeAccount {
  const config = (args: readonly string[]) =>
    readWorkerConfig(repository, args[args.indexOf('--config') + 1] ?? '');
  const good = (stdout = '') => ({ ok: true, stdout, said: stdout });
  const bad = (said: string) => ({ ok: false, stdout: '', said });
  const account: FakeAccount = {
    loggedIn: true,
    databases: new Map(),
    queues: new Set(),
    buckets: new Set(),
    workers: new Map(),
    lines: [],
    failing: null,

    async ask(args) {
      const line = lineOf(args);
      if (!account.loggedIn) return bad('You are not authenticated.');
      if (account.failing !== null && line.includes(account.failing))
        return bad('Something else [code: 10000]');
      const name =
        args.find((arg, at) => at > 0 && !arg.startsWith('-') && arg === args[args.length - 1]) ?? '';
      if (line.startsWith('wrangler d1 list')) {
        return good(JSON.stringify([...account.databases].map(([one, uuid]) => ({ name: one, uuid }))));
      }
      if (line.startsWith('wrangler queues info')) {
        return account.queues.has(name) ? good() : bad(`Queue "${name}" does not exist.`);
      }
      if (line.startsWith('wrangler r2 bucket info')) {
        return account.buckets.has(args[3] ?? '')
          ? good('{}')
          : bad('The specified bucket does not exist. [code: 10006]');
      }
      if (line.startsWith('wrangler secret list')) {
        const worker = config(args).name;
        const known = account.workers.get(worker);
        if (!known) return bad(`Worker "${worker}" not found.`);
        return good(JSON.stringify([...known.secrets.keys()].map((one) => ({ name: one }))));
      }
      return good('Total Upload: 1 KiB / gzip: 1 KiB');
    },

    async run(args, input) {
      const line = lineOf(args);
      account.lines.push(line);
      const fails = account.failing !== null && line.includes(account.failing);
      return { ok: account.loggedIn && !fails && perform(args, input ?? '') };
    },
  };

  function perform(args: readonly string[], input: string): boolean {
    const [first, second, third = '', fourth = ''] = args;
    switch (`${first} ${second}`) {
      case 'd1 create':
        account.databases.set(third, `aaaaaaaa-0000-4000-8000-00000000000${account.databases.size}`);
        return true;
      case 'd1 migrations':
        return account.databases.has(fourth);
      case 'queues create':
        account.queues.add(third);
        return true;
      case 'r2 bucket':
        account.buckets.add(fourth);
        return true;
      case 'secret put': {
        const { name } = config(args);
        const worker = account.workers.get(name) ?? { secrets: new Map(), services: null };
        worker.secrets.set(third, input);
        account.workers.set(name, worker);
        return true;
      }
      default:
        return deploy(config(args));
    }
  }

  function deploy(worker: ReturnType<typeof config>): boolean {
    const objectsAreThere = worker.objectsOf.every((owner) => account.workers.get(owner)?.services != null);
    const servicesAreThere = worker.services.every((name) => account.workers.has(name));
    const known = new Set(account.databases.values());
    const dataIsThere =
      worker.databases.every(({ id }) => known.has(id)) &&
      worker.queues.every((name) => account.queues.has(name)) &&
      worker.buckets.every((name) => account.buckets.has(name));
    if (!objectsAreThere || !servicesAreThere || !dataIsThere) return false;
    const { secrets } = account.workers.get(worker.name) ?? { secrets: new Map() };
    account.workers.set(worker.name, { secrets, services: worker.services });
    return true;
  }
  return account;
}
