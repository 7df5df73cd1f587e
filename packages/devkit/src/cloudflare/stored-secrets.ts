import { RefusalToStart } from '../refusal-to-start.ts';
import type { StoredSecrets } from './check-configuration.ts';
import type { WorkerConfig } from './worker-configs.ts';
import type { Wrangler } from './wrangler.ts';

/** Asks which secrets each Worker has; their names, for nobody is told more. */
export async function readStoredSecrets(
  wrangler: Wrangler,
  workers: readonly WorkerConfig[],
): Promise<StoredSecrets> {
  const stored = new Map<string, ReadonlySet<string> | null>();
  for (const { name, path } of workers) {
    const { ok, stdout, said } = await wrangler.ask(['secret', 'list', '--config', path]);
    if (ok) {
      const secrets = JSON.parse(stdout) as { name: string }[];
      stored.set(name, new Set(secrets.map((secret) => secret.name)));
    } else if (/Worker "[^"]+".* not found/.test(said)) {
      stored.set(name, null);
    } else {
      throw new RefusalToStart(`Could not ask for the secrets of ${name}.\n${said}`);
    }
  }
  return stored;
}
