import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { type KeyName, putKey } from './keys/put-key.ts';
import { USAGE } from './keys/usage.ts';
import { rotateLocalSigningKey } from './local-secrets.ts';
import { RefusalToStart } from './refusal-to-start.ts';
import { REPOSITORY } from './repository.ts';
import { runCommand } from './run-command.ts';

// `pnpm keys`: makes signing keys. A private key goes only to the chosen destination.

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      print: { type: 'boolean' },
      put: { type: 'boolean' },
      local: { type: 'boolean' },
      ingress: { type: 'boolean' },
      log: { type: 'boolean' },
      url: { type: 'string' },
    },
  });
  const { print, put, local, ingress, log, url } = options;
  const chosen = [print, put, local].filter(Boolean).length;
  if (chosen === 0) return console.log(USAGE);
  if (chosen > 1) throw new RefusalToStart('Choose one of --print, --put and --local.');
  if (url !== undefined && !put) throw new RefusalToStart('--url goes with --put.');

  if (ingress && log) throw new RefusalToStart('Choose one of --ingress and --log.');
  const name: KeyName = ingress ? 'INGRESS_SIGNING_KEY' : log ? 'LOG_SIGNING_KEY' : 'SIGNING_KEY';
  if (local) {
    const stateDir = resolve(REPOSITORY, process.env.STATE_DIR || '.state');
    const keyId = await rotateLocalSigningKey(stateDir, name);
    console.log(
      `${name} of ${stateDir} is now ${keyId}. The next \`pnpm dev\` signs with it and publishes it.`,
    );
    return;
  }
  const { secretJwk, publicKey } = await generateSigningKey();
  if (print) {
    // Only the secret goes to standard output, so that it can be piped.
    console.error(`${name} ${publicKey.keyId}:`);
    console.log(secretJwk);
    return;
  }
  await putKey({ name, secretJwk, keyId: publicKey.keyId, apiUrl: url });
}

await runCommand(main, USAGE);
