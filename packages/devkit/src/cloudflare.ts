import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { logKeyNameOf } from '@agent-marketplace/core/compose/log-configuration.ts';
import { bucketSource, folderSource } from './backups/backup-source.ts';
import { restore } from './backups/restore.ts';
import { beginAnotherLog } from './cloudflare/begin-another-log.ts';
import { deployEverything, refuseIfIncomplete } from './cloudflare/deploy-everything.ts';
import { putSecret } from './cloudflare/make-secrets.ts';
import { readHidden } from './cloudflare/read-hidden.ts';
import { setUp } from './cloudflare/set-up.ts';
import { SECRETS, VARIABLES } from './cloudflare/settings.data.ts';
import { USAGE } from './cloudflare/usage.ts';
import { readWorkerConfigs } from './cloudflare/worker-configs.ts';
import { realWrangler, rehearsal } from './cloudflare/wrangler.ts';
import { beginLocalLog, numberOfNextLocalLog } from './local-secrets.ts';
import { lockState } from './lock-state.ts';
import { RefusalToStart } from './refusal-to-start.ts';
import { REPOSITORY } from './repository.ts';
import { runCommand } from './run-command.ts';
import { smoke } from './smoke/smoke.ts';

// `pnpm cloudflare`: sets up and deploys to an account.

/** As workers/jobs/wrangler.toml names it. */
const BACKUP_BUCKET = 'marketplace-backups';
const RESTORED_FOLDER = 'dist/restored';

const say = (line: string) => console.log(line);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean' },
      url: { type: 'string' },
      location: { type: 'string' },
      backup: { type: 'string' },
      from: { type: 'string' },
      database: { type: 'string' },
      state: { type: 'string' },
      requests: { type: 'string' },
      concurrency: { type: 'string' },
      stolen: { type: 'boolean' },
      local: { type: 'boolean' },
    },
  });
  const { 'dry-run': isRehearsal = false, url = null, location = null } = values;
  const [command, name, ...rest] = positionals;
  if (command === undefined) return console.log(USAGE);
  if (rest.length > 0 || (name !== undefined && command !== 'secret')) throw new RefusalToStart(USAGE);
  const workers = readWorkerConfigs();
  const wrangler = isRehearsal ? rehearsal(realWrangler, say) : realWrangler;
  switch (command) {
    case 'deploy':
      return deployEverything({ wrangler, workers, say, isRehearsal });
    case 'check':
      await refuseIfIncomplete(wrangler, workers);
      return say('Nothing is missing.');
    case 'setup':
      return setUp({ wrangler, workers, say, url, location, isRehearsal, secrets: newSecrets });
    case 'begin-log':
      if (values.local) return beginAnotherLocalLog(values.stolen ?? false, isRehearsal);
      return beginAnotherLog({
        wrangler,
        workers,
        say,
        newKey: newSecrets.signingKey,
        isStolen: values.stolen ?? false,
        isRehearsal,
      });
    case 'restore':
      return restore({
        source: values.from === undefined ? bucketSource(wrangler, BACKUP_BUCKET) : folderSource(values.from),
        backup: values.backup ?? null,
        folder: RESTORED_FOLDER,
        database: values.database ?? null,
        stateDir: values.state ?? null,
        wrangler,
        say,
      });
    case 'smoke': {
      if (url === null) throw new RefusalToStart('Name the API root: --url https://<host>/api');
      const { problems, kinds, requestsSent } = await smoke({
        baseUrl: url.replace(/\/+$/, ''),
        adminSecret: process.env.ADMIN_SECRET ?? (await readHidden('ADMIN_SECRET: ')),
        requests: Number(values.requests ?? 200),
        concurrency: Number(values.concurrency ?? 8),
        say,
      });
      console.table(kinds.map(({ failures, ...measured }) => ({ ...measured, failures: failures.length })));
      say(`${requestsSent} requests were sent.`);
      if (problems.length > 0) throw new RefusalToStart(`Wrong: ${problems.join('; ')}.`);
      return;
    }
    case 'secret': {
      const holders = name === undefined ? undefined : (SECRETS[name] ?? VARIABLES[name])?.workers;
      if (name === undefined || !holders) {
        throw new RefusalToStart(`Name one of: ${Object.keys(SECRETS).join(', ')}, X402_RPC_URL.`);
      }
      const value = await readHidden(`${name}: `);
      if (value === '') throw new RefusalToStart('You entered nothing.');
      return putSecret(
        wrangler,
        name,
        value,
        workers.filter((worker) => holders.includes(worker.name)),
      );
    }
    default:
      throw new RefusalToStart(USAGE);
  }
}

async function beginAnotherLocalLog(isStolen: boolean, isRehearsal: boolean): Promise<void> {
  const stateDir = resolve(REPOSITORY, process.env.STATE_DIR || '.state');
  if (!existsSync(stateDir))
    throw new RefusalToStart(
      `There is no ${stateDir}: start \`pnpm dev\` first, or name its folder with STATE_DIR.`,
    );
  if (isRehearsal) {
    const number = await numberOfNextLocalLog(stateDir);
    return say(
      `It would make ${logKeyNameOf(number)} in ${stateDir}, and set LOG_NUMBER to ${number}. Nothing was changed.`,
    );
  }
  // A marketplace that runs would not notice, and begin the log at whatever start comes next.
  const release = lockState(stateDir);
  const key = await beginLocalLog(stateDir, isStolen).finally(release);
  say(`The next \`pnpm dev\` in ${stateDir} begins another log. Its verifier key:`);
  say(`  ${key}`);
  say('Its witness is started with that key as well, and the policy names it below the others.');
}

const newSecrets = {
  supplied: process.env,
  signingKey: async () => (await generateSigningKey()).secretJwk,
  password: () => randomBytes(32).toString('hex'),
};

await runCommand(main, USAGE);
