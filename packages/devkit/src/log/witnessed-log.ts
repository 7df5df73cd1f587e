import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSigner, generateSigningKey } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import {
  LOCAL_LOG_ORIGIN,
  logKeyNameOf,
  logPathOf,
} from '@agent-marketplace/core/compose/log-configuration.ts';
import { formatNoteKey, type NoteSigner, noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
import { localSecrets } from '../local-secrets.ts';
import { RefusalToStart } from '../refusal-to-start.ts';
import { REPOSITORY } from '../repository.ts';

const PROGRAM = join(REPOSITORY, 'packages/cli/src/agent-market.ts');
const END_WITH_PARENT = pathToFileURL(join(import.meta.dirname, 'end-with-parent.ts')).href;

/** A log whose key is known before its marketplace starts, and a witness that runs beside it. */
export interface WitnessedLog {
  /** For the marketplace: the log's key and its witness. */
  readonly variables: Readonly<Record<'LOG_SIGNING_KEY' | 'LOG_WITNESSES', string>>;
  /** Signs as the log's operator. */
  readonly signer: NoteSigner;
  /** Verifier keys. */
  readonly vkey: string;
  readonly witness: { readonly vkey: string; readonly url: string };
  /** What a verifier keeps: this log, and this witness as the quorum. */
  readonly policy: string;
  readonly policyPath: string;
  /** Of this log alone. */
  readonly folder: string;
  /** Runs the command line program. */
  run(...args: readonly string[]): Promise<ProgramRun>;
  close(): Promise<void>;
}

export interface ProgramRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** With a key and a folder of its own, which is removed at the end. */
export async function startWitnessedLog(): Promise<WitnessedLog> {
  const { secretJwk } = await generateSigningKey();
  // Only a key that is marked as local goes together with seller endpoints on this machine.
  const secret = JSON.stringify({ ...JSON.parse(secretJwk), local: true });
  const folder = await mkdtemp(join(tmpdir(), 'witnessed-log-'));
  const log = await startWitness({ keys: [secret] }, folder);
  return {
    ...log,
    async close() {
      await log.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Of a local marketplace: the log has the key of its secrets, and the witness remembers in the folder `log` what it cosigned. */
export async function startLocalWitness(stateDir: string): Promise<WitnessedLog> {
  const secrets = await localSecrets(stateDir);
  const number = Number(secrets.LOG_NUMBER ?? 1);
  const keys = Array.from({ length: number }, (_, at) => secrets[logKeyNameOf(at + 1)] ?? '');
  const logs = { keys, isFormerKeyStolen: secrets.LOG_FORMER_KEY_STOLEN === 'true' };
  const folder = join(stateDir, 'log');
  await mkdir(folder, { recursive: true });
  // A policy that was copied names the witness's address: it is the same at the next start, unless another program took it.
  const portPath = join(folder, 'port.txt');
  const port = Number(await readFile(portPath, 'utf8').catch(() => '0')) || 0;
  const log = await startWitness(logs, folder, port).catch((error: unknown) => {
    if (port === 0) throw error;
    return startWitness(logs, folder);
  });
  await writeFile(portPath, new URL(log.witness.url).port);
  return log;
}

interface LocalLogs {
  /** Of each log so far, the last one of that which goes on. */
  readonly keys: readonly string[];
  /** Nobody is to believe the others any more. */
  readonly isFormerKeyStolen?: boolean;
}

async function startWitness(
  { keys, isFormerKeyStolen = false }: LocalLogs,
  folder: string,
  port = 0,
): Promise<WitnessedLog> {
  const signers = await Promise.all(
    keys.map((secret, at) =>
      noteSignerOf(createSigner(secret), `${LOCAL_LOG_ORIGIN}${logPathOf(at + 1)}`, 1),
    ),
  );
  const [secret, signer] = [keys[0], signers.at(-1)];
  if (secret === undefined || signer === undefined) throw new Error('There is no log.');
  const vkeys = signers.slice(isFormerKeyStolen ? -1 : 0).map(({ key }) => formatNoteKey(key));
  const env = { ...process.env, AGENT_MARKET_CONFIG: join(folder, 'config.json') };
  const options = ['--folder', join(folder, 'witness'), '--name', 'club.example/witness'];
  for (const vkey of vkeys) options.push('--log', vkey);
  const args = ['--import', END_WITH_PARENT, PROGRAM, 'witness', ...options];
  const child = spawn(process.execPath, [...args, '--port', String(port), '--json'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
  });
  const notes: Buffer[] = [];
  child.stderr.on('data', (text: Buffer) => notes.splice(0, notes.length, text));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString('utf8')));
    child.once('exit', (code) => reject(new Error(`The witness ended with ${code}: ${notes.join('')}`)));
  });
  const witness = JSON.parse(line) as WitnessedLog['witness'];
  // A failure is told in the same place.
  if (typeof witness.url !== 'string')
    throw new RefusalToStart(`The witness of the log did not start: ${line.trim()}`);
  const logs = vkeys.map((vkey) => `log ${vkey}\n`).join('');
  const policy = `${logs}witness club ${witness.vkey} ${witness.url}\nquorum club\n`;
  const policyPath = join(folder, 'policy.txt');
  await writeFile(policyPath, policy);
  return {
    variables: {
      LOG_SIGNING_KEY: secret,
      LOG_WITNESSES: JSON.stringify([{ key: witness.vkey, url: witness.url }]),
    },
    signer,
    vkey: formatNoteKey(signer.key),
    witness,
    policy,
    policyPath,
    folder,
    run: (...args) => runProgram(args, env),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

function runProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (text: Buffer) => {
        texts[name] += text.toString('utf8');
      });
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...texts }));
  });
}
