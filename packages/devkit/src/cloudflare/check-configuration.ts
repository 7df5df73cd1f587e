import { readRates } from '@agent-marketplace/core/compose/configuration.ts';
import { WIDE_NETWORK_FACTOR } from '@agent-marketplace/core/kernel/operation/rate-key.ts';
import { NEVER_DEPLOYED, SECRETS, VARIABLES } from './settings.data.ts';
import type { WorkerConfig } from './worker-configs.ts';

/** By Worker: the names of its secrets; null: there is no such Worker yet. */
export type StoredSecrets = ReadonlyMap<string, ReadonlySet<string> | null>;

const PLACEHOLDER = /^0{8}-0{4}-/;

/** Everything that keeps these files and secrets from being a deployment, in one list; empty: nothing does. */
export function findProblems(workers: readonly WorkerConfig[], stored: StoredSecrets): string[] {
  return [...findFileProblems(workers), ...findSecretProblems(workers, stored)];
}

/** Those that the files alone show. */
export function findFileProblems(workers: readonly WorkerConfig[]): string[] {
  return [
    ...databaseProblems(workers),
    ...workers.flatMap(misplaced),
    ...workers.flatMap(traceProblems),
    ...addressProblems(workers),
    ...rateProblems(workers),
  ];
}

function databaseProblems(workers: readonly WorkerConfig[]): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { name, id } of workers.flatMap(({ databases }) => databases)) {
    ids.set(name, (ids.get(name) ?? new Set()).add(id));
  }
  return [...ids].flatMap(([name, known]) => {
    if ([...known].some((id) => id === '' || PLACEHOLDER.test(id))) {
      return [`The id of the database ${name} is still a placeholder: run \`cloudflare setup\`.`];
    }
    if (known.size > 1) return [`The database ${name} has different ids: ${[...known].join(', ')}.`];
    return [];
  });
}

/** Spans of these hold no secret: no capability is in a path of theirs, and no key in an address that they call. */
const TRACEABLE = ['marketplace-ingress', 'marketplace-log', 'marketplace-uploads'];
const MAX_TRACED_SHARE = 0.1;

function traceProblems({ name, path, tracedShare }: WorkerConfig): string[] {
  if (tracedShare === 0) return [];
  if (!TRACEABLE.includes(name))
    return [
      `${path}: [observability.traces] would keep links and keys that stand in addresses. Take it out.`,
    ];
  return tracedShare > MAX_TRACED_SHARE
    ? [`${path}: traces of ${tracedShare} of all requests are kept, and ${MAX_TRACED_SHARE} is the most.`]
    : [];
}

/** What stands in a file and should not, or should and does not. */
function misplaced({ path, vars, logsAddresses }: WorkerConfig): string[] {
  return [
    ...(logsAddresses
      ? [
          `${path}: [observability] needs redact_query_string = true and, under logs, invocation_logs = false: keys and ` +
            'capabilities would be in the log.',
        ]
      : []),
    ...NEVER_DEPLOYED.filter((name) => name in vars).map(
      (name) => `${path} sets ${name}, which is for development.`,
    ),
    ...Object.keys(SECRETS)
      .filter((name) => name in vars)
      .map((name) => `${path} holds ${name}: take it out, and store it with \`cloudflare secret ${name}\`.`),
  ];
}

const POLICY = { expected: /^https:\/\/[^/@]+(\/\S*)?$/, example: 'https://<host>/<path>' };
const ADDRESSES = [
  { name: 'PUBLIC_BASE_URL', expected: /^https:\/\/[^/]+\/api$/, example: 'https://<host>/api' },
  { name: 'SITE_URL', expected: /^https:\/\/[^/]+$/, example: 'https://<host>' },
  { name: 'POLICY_PROHIBITED_URL', ...POLICY },
  { name: 'POLICY_TERMS_URL', ...POLICY },
  { name: 'POLICY_PRIVACY_URL', ...POLICY },
];

function addressProblems(workers: readonly WorkerConfig[]): string[] {
  return workers.flatMap(({ path, vars }) =>
    ADDRESSES.flatMap(({ name, expected, example }) => {
      const url = vars[name];
      if (url === undefined) return [];
      return expected.test(url) ? [] : [`${path}: ${name} is ${url}, and has to be like ${example}.`];
    }),
  );
}

/** A binding that allows less than what answers say (`RateLimit`), or more, or another number in another Worker. */
function rateProblems(workers: readonly WorkerConfig[]): string[] {
  return workers.flatMap(({ path, vars, rates: bindings }) => {
    const rates = readRates(vars.RATE_LIMITS);
    return Object.entries(rates).flatMap(([policy, { limit, windowSeconds, shared }]) =>
      [1, WIDE_NETWORK_FACTOR].flatMap((factor) => {
        const name = `RATE_${policy.toUpperCase()}${factor === 1 ? '' : '_WIDE'}`;
        const binding = bindings[name];
        if (binding === undefined || shared === false) return [];
        if (binding.limit === limit * factor && binding.windowSeconds === windowSeconds) return [];
        return [
          `${path}: ${name} allows ${binding.limit} in ${binding.windowSeconds} seconds, and RATE_LIMITS ` +
            `${limit * factor} in ${windowSeconds}.`,
        ];
      }),
    );
  });
}

function findSecretProblems(workers: readonly WorkerConfig[], stored: StoredSecrets): string[] {
  const has = (worker: WorkerConfig, name: string) =>
    name in worker.vars || (stored.get(worker.name)?.has(name) ?? false);
  const settings = [
    ...Object.entries(SECRETS).map(([name, setting]) => ({ name, ...setting, isSecret: true })),
    ...Object.entries(VARIABLES).map(([name, setting]) => ({ name, ...setting, isSecret: false })),
  ];
  const problems = settings.flatMap(({ name, workers: holders, required, isSecret }) => {
    const concerned = workers.filter((worker) => holders.includes(worker.name));
    const lacking = concerned.filter((worker) => !has(worker, name));
    const values = new Set(concerned.flatMap(({ vars }) => (name in vars ? [vars[name]] : [])));
    if (values.size > 1) return [`${name} differs between Workers: ${[...values].join(', ')}.`];
    if (lacking.length === 0 || (!required && lacking.length === concerned.length)) return [];
    const where = lacking.map((worker) => (isSecret ? worker.name : worker.path)).join(', ');
    return [`${isSecret ? 'The secret' : 'The variable'} ${name} is missing in ${where}.`];
  });
  const api = workers.find(({ name }) => name === 'marketplace-api');
  if (api && has(api, 'STRIPE_SECRET_KEY') !== has(api, 'STRIPE_WEBHOOK_SECRET')) {
    problems.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: only one of them is set.');
  }
  if (api && has(api, 'ANALYTICS_ACCOUNT_ID') !== has(api, 'ANALYTICS_API_TOKEN')) {
    problems.push('ANALYTICS_ACCOUNT_ID and ANALYTICS_API_TOKEN go together: only one of them is set.');
  }
  return problems;
}
