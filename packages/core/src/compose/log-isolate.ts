import { type NoteKey, noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
import { createLogWitness } from '../adapters/fetch/log-witness.ts';
import { createSigner } from '../adapters/keys/keyring.ts';
import { createR2LogFiles } from '../adapters/r2/log-files.ts';
import { createLocationLimits, type LocationBindings } from '../adapters/rate-limit/location-limits.ts';
import { createWindowRateLimiter } from '../adapters/rate-limit/window-rate-limiter.ts';
import { consoleLog } from '../adapters/system/system.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { createDatabase } from '../db/create-database.ts';
import type { RateLimiter } from '../kernel/ports/rate-limiter.ts';
import type { LogFiles, LogTree } from '../kernel/ports/transparency/transparency-log.ts';
import type { FormerLog, LogPorts, SinceStart } from '../transparency/index.ts';
import {
  type LogConfiguration,
  type LogVariables,
  logPathOf,
  readLogConfiguration,
} from './log-configuration.ts';

/** What the log Worker and its object are bound to. */
export interface LogBindings extends LogVariables, LocationBindings {
  readonly DB: D1Database;
  readonly LOG: R2Bucket;
}

/** A log that is read: the one that goes on, or one that ended. */
interface ServedLog {
  readonly number: number;
  readonly files: LogFiles;
  readonly origin: string;
  /** None: its secret was deleted. */
  readonly keys: readonly NoteKey[];
}

interface LogIsolate {
  readonly number: number;
  /** All that there were, by their paths below the prefix of the first. */
  readonly logs: ReadonlyMap<string, ServedLog>;
  readonly rateLimiter: RateLimiter;
  /** For one run. */
  portsFor(tree: LogTree, sinceStart: SinceStart): LogPorts;
}

const isolates = new WeakMap<object, Promise<LogIsolate>>();

/** The parts that live as long as the isolate: keys are imported once. */
export function logIsolateOf(bindings: LogBindings): Promise<LogIsolate> {
  const known = isolates.get(bindings) ?? createIsolate(bindings);
  isolates.set(bindings, known);
  return known;
}

async function createIsolate(bindings: LogBindings): Promise<LogIsolate> {
  const configuration = await readLogConfiguration(bindings);
  const { signingKeys, number, origins, witnesses, rates } = configuration;
  const signers = await signersOf(signingKeys, originOf(origins, number));
  const files = filesOf(bindings, number);
  const formerLogs = await Promise.all(
    origins.slice(0, -1).map((_, at) => formerLogOf(bindings, configuration, at + 1)),
  );
  const keys = signers.map(({ key }) => key);
  const served = [
    ...formerLogs.map(({ key, ...log }) => ({ ...log, keys: key === null ? [] : [key] })),
    { number, files, origin: originOf(origins, number), keys },
  ];
  const formers = formerLogs
    .toReversed()
    .map((log) => ({ ...log, signer: configuration.isFormerKeyStolen ? null : log.signer }));
  const limits = createLocationLimits(bindings, consoleLog);
  const fetch = globalThis.fetch.bind(globalThis);
  return {
    number,
    logs: new Map(served.map((log) => [logPathOf(log.number), log])),
    rateLimiter: createWindowRateLimiter(rates, systemClock, limits),
    portsFor: (tree, sinceStart) => ({
      market: createDatabase(bindings.DB),
      clock: systemClock,
      log: consoleLog,
      tree,
      files,
      signers,
      sinceStart,
      formers,
      witnesses: witnesses.map(({ key, url }) => createLogWitness(key, url, fetch)),
    }),
  };
}

/** The first log has the bucket's root. */
const filesOf = ({ LOG }: LogBindings, number: number) =>
  createR2LogFiles(LOG, number === 1 ? '' : `${number}/`);

const originOf = (origins: LogConfiguration['origins'], number: number) => origins[number - 1] ?? '';

async function formerLogOf(
  bindings: LogBindings,
  { origins, formerKeys }: LogConfiguration,
  number: number,
): Promise<FormerLog & Pick<ServedLog, 'number'> & { readonly key: NoteKey | null }> {
  const origin = originOf(origins, number);
  const secret = formerKeys[number - 1];
  const signer = secret === undefined ? null : await noteSignerOf(createSigner(secret), origin, 1);
  return { number, files: filesOf(bindings, number), origin, signer, key: signer?.key ?? null };
}

async function signersOf([first, ...more]: LogConfiguration['signingKeys'], origin: string) {
  const signerOf = (secret: string) => noteSignerOf(createSigner(secret), origin, 1);
  const signer = await signerOf(first);
  const others = await Promise.all(more.map(signerOf));
  // At the end of a rotation both secrets are one key for a while: a key signs a note once.
  return [signer, ...others.filter(({ key }) => key.id !== signer.key.id)] as const;
}
