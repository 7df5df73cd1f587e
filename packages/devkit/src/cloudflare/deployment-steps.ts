import type { WorkerConfig } from './worker-configs.ts';

export interface DeploymentStep {
  readonly worker: WorkerConfig;
  /** Workers it calls that do not exist yet: it is deployed without them, and once more at the end. */
  readonly without: readonly string[];
}

/**
 * In which order Workers are deployed. The owner of a Durable Object comes before those that call the object, always: a
 * binding to a class that is not there is refused. A Worker that is called comes before its callers as far as it goes:
 * the api and the site call each other. Where a called Worker does not exist at all, which is so on the first day only,
 * the caller is deployed without that binding first, and whole at the end.
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
  const again = steps.filter(({ without }) => without.length > 0);
  return [...steps, ...again.map(({ worker }) => ({ worker, without: [] }))];
}

function inOrder(workers: readonly WorkerConfig[]): WorkerConfig[] {
  const left = [...workers];
  const isLeft = (name: string) => left.some((worker) => worker.name === name);
  const dependents = ({ name }: WorkerConfig) =>
    workers.filter(({ services, objectsOf }) => services.includes(name) || objectsOf.includes(name)).length;
  const placed: WorkerConfig[] = [];
  while (left.length > 0) {
    const possible = left.filter(({ objectsOf }) => !objectsOf.some(isLeft));
    const next =
      possible.find(({ services }) => !services.some(isLeft)) ??
      possible.toSorted((a, b) => dependents(b) - dependents(a))[0];
    if (!next) {
      throw new Error(`Workers own Durable Objects in a circle: ${left.map(({ name }) => name).join(', ')}.`);
    }
    placed.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return placed;
}

/** A configuration file's text without its bindings to these services. */
export function withoutServices(toml: string, services: readonly string[]): string {
  const tables = toml.split(/^(?=\[)/m);
  return tables
    .filter((table) => {
      const service = table.startsWith('[[services]]') && /^service\s*=\s*"([^"]+)"/m.exec(table)?.[1];
      return !(service && services.includes(service));
    })
    .join('');
}
