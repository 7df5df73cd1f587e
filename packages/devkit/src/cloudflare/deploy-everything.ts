import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RefusalToStart } from '../refusal-to-start.ts';
import { REPOSITORY } from '../repository.ts';
import { findFileProblems, findProblems } from './check-configuration.ts';
import { type DeploymentStep, deploymentSteps, withoutServices } from './deployment-steps.ts';
import { readResources, resourceProblems } from './resources.ts';
import { readStoredSecrets } from './stored-secrets.ts';
import { resourcesOf, type WorkerConfig } from './worker-configs.ts';
import { requireAccount, runStep, type Wrangler } from './wrangler.ts';

export interface Deployment {
  readonly wrangler: Wrangler;
  readonly workers: readonly WorkerConfig[];
  readonly say: (line: string) => void;
  /** Shows every step of a first deployment and bundles every Worker. Nobody is asked, nothing is changed. */
  readonly isRehearsal?: boolean;
  readonly repository?: string;
}

const REPEAT = 'Mend that and repeat the command: what was done is not done twice.';

/**
 * Checks, builds, migrates, deploys, in this order, and stops at the first failure. Every step can be repeated: what
 * is deployed is deployed again as it is, and migrations know which of them were applied.
 */
export async function deployEverything(deployment: Deployment): Promise<void> {
  const { wrangler, workers, say, isRehearsal = false, repository = REPOSITORY } = deployment;
  say('1. Configuration');
  const existing = isRehearsal ? rehearseCheck(workers, say) : await refuseIfIncomplete(wrangler, workers);
  say('2. Bundles');
  for (const { path } of workers) {
    const { ok, said } = await wrangler.ask(['deploy', '--dry-run', '--config', path]);
    if (!ok) throw new RefusalToStart(`${path} cannot be bundled; nothing was changed.\n${said}`);
    say(`  ${path}: ${/gzip: .*/.exec(said)?.[0] ?? 'bundled'}`);
  }
  say('3. Schema');
  for (const name of resourcesOf(workers).databases) {
    await runStep(wrangler, ['d1', 'migrations', 'apply', name, '--remote'], REPEAT);
  }
  say('4. Workers');
  for (const step of deploymentSteps(workers, existing)) {
    await deployOne(wrangler, step, repository, say);
  }
  say(isRehearsal ? 'Nothing was changed.' : 'Deployed.');
}

/** Which Workers exist, if nothing is missing; else one list of all that is. */
export async function refuseIfIncomplete(
  wrangler: Wrangler,
  workers: readonly WorkerConfig[],
): Promise<Set<string>> {
  await requireAccount(wrangler);
  const stored = await readStoredSecrets(wrangler, workers);
  const problems = findProblems(workers, stored);
  // Ids that are placeholders would only be named a second time.
  if (problems.length === 0) {
    problems.push(...resourceProblems(workers, await readResources(wrangler, workers)));
  }
  if (problems.length > 0) {
    throw new RefusalToStart(
      `Not ready to be deployed; nothing was changed.\n${problems.map((one) => `  - ${one}`).join('\n')}`,
    );
  }
  return new Set([...stored].filter(([, secrets]) => secrets !== null).map(([name]) => name));
}

function rehearseCheck(workers: readonly WorkerConfig[], say: (line: string) => void): Set<string> {
  for (const problem of findFileProblems(workers)) say(`  would refuse: ${problem}`);
  say('  would ask: which secrets, databases, queues and buckets there are');
  return new Set();
}

async function deployOne(
  wrangler: Wrangler,
  { worker, without }: DeploymentStep,
  repository: string,
  say: (line: string) => void,
): Promise<void> {
  if (without.length === 0) return runStep(wrangler, ['deploy', '--config', worker.path], REPEAT);
  say(`  first without ${without.join(', ')}, not there yet:`);
  // Beside the real one, since paths in it are relative.
  const path = join(dirname(worker.path), '.first-deployment.toml');
  const toml = await readFile(join(repository, worker.path), 'utf8');
  await writeFile(join(repository, path), withoutServices(toml, without));
  try {
    await runStep(wrangler, ['deploy', '--config', path], REPEAT);
  } finally {
    await rm(join(repository, path));
  }
}
