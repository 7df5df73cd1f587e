import { RefusalToStart } from '../refusal-to-start.ts';
import type { StoredSecrets } from './check-configuration.ts';
import { SECRETS } from './settings.data.ts';
import type { WorkerConfig } from './worker-configs.ts';
import { runStep, type Wrangler } from './wrangler.ts';

export interface NewSecrets {
  /** Secrets from the environment, by name. They replace generated ones. */
  readonly supplied: Readonly<Record<string, string | undefined>>;
  signingKey(): Promise<string>;
  /** Long enough that nobody guesses it. */
  password(): string;
}

interface Making {
  readonly wrangler: Wrangler;
  readonly workers: readonly WorkerConfig[];
  readonly say: (line: string) => void;
  readonly secrets: NewSecrets;
  readonly stored: StoredSecrets;
  readonly isRehearsal?: boolean;
}

const REPEAT = 'Mend that and repeat the command.';

/** These cannot be read back from Cloudflare, and somebody has to know them. */
const TO_BE_NOTED = ['APP_SECRET', 'ADMIN_SECRET'];

/** Makes the secrets that every deployment needs, where there are none. */
export async function makeSecrets(making: Making): Promise<void> {
  const { wrangler, workers, say, secrets, stored, isRehearsal = false } = making;
  for (const [name, { workers: holders, required }] of Object.entries(SECRETS)) {
    if (!required) continue;
    const concerned = workers.filter((worker) => holders.includes(worker.name));
    const lacking = concerned.filter((worker) => !stored.get(worker.name)?.has(name));
    if (lacking.length === 0) {
      say(`  ${name} is stored.`);
      continue;
    }
    const supplied = secrets.supplied[name];
    if (supplied === undefined && lacking.length < concerned.length)
      throw new RefusalToStart(halfStored(name, lacking));
    const isKey = !TO_BE_NOTED.includes(name);
    const value = supplied ?? (isKey ? await secrets.signingKey() : secrets.password());
    // Shown before it is stored: what is stored and not known would be lost.
    if (supplied === undefined && !isKey && !isRehearsal)
      say(`  Store this now, it is not shown again: ${name}=${value}`);
    await putSecret(wrangler, name, value, lacking);
  }
}

/** Some Workers have it, and what they have cannot be read. */
function halfStored(name: string, lacking: readonly WorkerConfig[]): string {
  const where = lacking.map((worker) => worker.name).join(', ');
  const remedy = TO_BE_NOTED.includes(name)
    ? `Repeat the command with the ${name} that you noted down in the environment.`
    : 'Make a new key for all of them with `keys --put` (with --url, if the deployment is in use), then repeat the command.';
  return `${name} is not stored with ${where}, but with the others. ${remedy}`;
}

/** Stores one text with each of these Workers; wrangler makes an empty Worker where there is none to hold it. */
export async function putSecret(
  wrangler: Wrangler,
  name: string,
  value: string,
  workers: readonly WorkerConfig[],
): Promise<void> {
  for (const { path } of workers) {
    await runStep(wrangler, ['secret', 'put', name, '--config', path], REPEAT, value);
  }
}
