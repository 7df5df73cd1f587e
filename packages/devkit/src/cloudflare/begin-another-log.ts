import { createSigner } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { formatNoteKey, noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
import { numberOfNextLog, variablesOfLog } from '../log/next-log.ts';
import { RefusalToStart } from '../refusal-to-start.ts';
import { REPOSITORY } from '../repository.ts';
import { editFiles, withVariable } from './edit-configs.ts';
import { putSecret } from './make-secrets.ts';
import type { WorkerConfig } from './worker-configs.ts';
import type { Wrangler } from './wrangler.ts';

interface Beginning {
  readonly wrangler: Wrangler;
  readonly workers: readonly WorkerConfig[];
  readonly say: (line: string) => void;
  /** A new private key, as JWK. */
  readonly newKey: () => Promise<string>;
  /** The key of the log that ends was stolen: it is not asked to name the new one. */
  readonly isStolen: boolean;
  readonly isRehearsal?: boolean;
  readonly repository?: string;
}

const LOG_WORKER = 'marketplace-log';

/**
 * Ends the log that cannot go on honestly, and has the next deployment begin another with all that it published: makes its key,
 * and says in the configuration which log it is. Nothing of the log that ends is changed.
 */
export async function beginAnotherLog(beginning: Beginning): Promise<void> {
  const {
    wrangler,
    workers,
    say,
    newKey,
    isStolen,
    isRehearsal = false,
    repository = REPOSITORY,
  } = beginning;
  const worker = workers.find(({ name }) => name === LOG_WORKER);
  if (worker === undefined) throw new RefusalToStart(`There is no Worker ${LOG_WORKER}.`);
  const base = worker.vars.PUBLIC_BASE_URL?.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  if (!base)
    throw new RefusalToStart(
      `PUBLIC_BASE_URL is not set in ${worker.path}: a log is named by it, in a rehearsal as well. \`pnpm cloudflare setup --url …\` sets it; on your own machine, without an account: \`pnpm cloudflare begin-log --local\`.`,
    );
  const number = numberOfNextLog(worker.vars);
  const variables = variablesOfLog(number, isStolen);
  if (isRehearsal) {
    say(
      `Would begin log ${number}, ${base}/log/${number}. Its key is made when this is run: none is shown here.`,
    );
    say(
      `Would store it as the secret LOG_SIGNING_KEY_${number} of ${LOG_WORKER}, and set in ${worker.path}:`,
    );
    for (const [name, value] of Object.entries(variables)) say(`  ${name} = "${value}"`);
    return;
  }
  const secret = await newKey();
  const signer = await noteSignerOf(createSigner(secret), `${base}/log/${number}`, 1);
  await putSecret(wrangler, `LOG_SIGNING_KEY_${number}`, secret, [worker]);
  await editFiles({ repository, paths: [worker.path], write: true }, (toml) =>
    Object.entries(variables).reduce((edited, [name, value]) => withVariable(edited, name, value), toml),
  );
  say(`The next deployment begins log ${number}. Its verifier key:`);
  say(`  ${formatNoteKey(signer.key)}`);
  say('Announce it where you announced the old one, with why that ended. Then: pnpm cloudflare deploy');
}
