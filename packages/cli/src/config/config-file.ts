import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliFailure } from '../frame/cli-failure.ts';

/** One marketplace as one agent. */
export interface Profile {
  /** The API root, which ends in `/api`. */
  readonly url: string;
  readonly apiKey?: string;
  /** The private key of the account that pays in USDC, as hex. */
  readonly payerKey?: string;
}

export interface Config {
  /** The profile that is used where none is named. */
  readonly profile: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PROFILE = 'default';

/** The folder of the config file, and of signed payments whose outcome is unknown. */
export function configPath(env: Environment): string {
  if (env.AGENT_MARKET_CONFIG) return env.AGENT_MARKET_CONFIG;
  const folder =
    env.XDG_CONFIG_HOME ||
    (process.platform === 'win32' && env.APPDATA) ||
    join(env.HOME || homedir(), '.config');
  return join(folder, 'agent-market', 'config.json');
}

/** An empty one if there is no file. `warning`: others may read the keys in it. */
export async function readConfig(path: string): Promise<{ config: Config; warning: string | null }> {
  let text: string;
  let mode: number;
  try {
    ({ mode } = await stat(path));
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      return { config: { profile: DEFAULT_PROFILE, profiles: withoutPrototype({}) }, warning: null };
    throw new CliFailure('config', `The config file ${path} cannot be read (${codeOf(error)}).`);
  }
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  const warning = isOpen ? `Others can read your keys in ${path}. Run: chmod 600 '${path}'` : null;
  return { config: parse(text, path), warning };
}

/** Writes for the owner alone, and whole or not at all. */
export async function writeConfig(path: string, config: Config): Promise<void> {
  await writePrivate(path, config);
}

/** A file with secrets: mode 0600, replaced in one step. */
export async function writePrivate(path: string, value: object): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const target = await realpath(path).catch(() => path);
    const draft = `${target}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw new CliFailure('config', `${path} cannot be written (${codeOf(error)}).`);
  }
}

function parse(text: string, path: string): Config {
  const broken = (what: string) =>
    new CliFailure('config', `The config file ${path} ${what}.`, {
      hint: 'Mend it, or move it away and set it up anew.',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken('is not JSON');
  }
  const { profile = DEFAULT_PROFILE, profiles = {} } = isRecord(value) ? value : { profiles: null };
  if (typeof profile !== 'string' || !isRecord(profiles)) throw broken('has no profiles');
  for (const [name, one] of Object.entries(profiles)) {
    if (!isProfile(one)) throw broken(`has a profile "${name}" without a url, or whose keys are no texts`);
  }
  return { profile, profiles: withoutPrototype(profiles as Config['profiles']) };
}

function isProfile(value: unknown): boolean {
  if (!isRecord(value) || typeof value.url !== 'string') return false;
  return [value.apiKey, value.payerKey].every((key) => key === undefined || typeof key === 'string');
}

/** What a profile may be called, such as `constructor`, is nothing that every object has. */
const withoutPrototype = (profiles: Config['profiles']): Config['profiles'] =>
  Object.assign(Object.create(null), profiles);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
