import type { WorkerConfig } from './worker-configs.ts';

export interface DeploymentStep {
  readonly worker: WorkerConfig;
  /** Called Workers that do not exist yet: this one is deployed without them first, and again at the end. */
  readonly without: readonly string[];
}

/**
 * The order in which Workers are deployed. The owner of a Durable Object always comes before its callers,
 * since Cloudflare refuses a binding to a missing class. A called Worker comes before its callers if
 * possible: the api and the site call each other. If a called Worker does not exist yet, the caller is first
 * deployed without that binding, and again at the end.
 */
export function deploymentSteps(
  workers: readonly WorkerConfig[],
  existing: ReadonlySet<string>,
): DeploymentStep[] {
  const there = new Set(existing);
  const steps = inOrder(workers).map((worker) => {
    const without = worker.services.filter((service) => !there.has(service));
    there.add(worker.name);
    return { worker, without };
  });
  const incomplete = steps.filter(({ without }) => without.length > 0);
  return [...steps, ...incomplete.map(({ worker }) => ({ worker, without: [] }))];
}

function inOrder(workers: readonly WorkerConfig[]): WorkerConfig[] {
  const remaining = [...workers];
  const isRemaining = (name: string) => remaining.some((worker) => worker.name === name);
  const dependents = ({ name }: WorkerConfig) =>
    workers.filter(({ services, objectsOf }) => services.includes(name) || objectsOf.includes(name)).length;
  const placed: WorkerConfig[] = [];
  while (remaining.length > 0) {
    const possible = remaining.filter(({ objectsOf }) => !objectsOf.some(isRemaining));
    const next =
      possible.find(({ services }) => !services.some(isRemaining)) ??
      possible.toSorted((a, b) => dependents(b) - dependents(a))[0];
    if (!next) {
      throw new Error(
        `These Workers own Durable Objects of each other: ${remaining.map(({ name }) => name).join(', ')}.`,
      );
    }
    placed.push(next);
    remaining.splice(remaining.indexOf(next), 1);
  }
  return placed;
}

/** The text of a configuration file without its bindings to these services. */
export function withoutServices(toml: string, services: readonly string[]): string {
  const tables = toml.split(/^(?=\[)/m);
  return tables
    .filter((table) => {
      const service = table.startsWith('[[services]]') && /^service\s*=\s*"([^"]+)"/m.exec(table)?.[1];
      return !(service && services.includes(service));
    })
    .join('');
}
