import { type NoteSigner, noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
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
import type { LogPorts, SinceStart } from '../transparency/index.ts';
import { type LogConfiguration, type LogVariables, readLogConfiguration } from './log-configuration.ts';

/** What the log Worker and its object are bound to. */
export interface LogBindings extends LogVariables, LocationBindings {
  readonly DB: D1Database;
  readonly LOG: R2Bucket;
}

interface LogIsolate {
  /** Their keys have the origin of the log as their name. */
  readonly signers: readonly [NoteSigner, ...NoteSigner[]];
  readonly files: LogFiles;
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
  const { signingKeys, origin, witnesses, rates } = await readLogConfiguration(bindings);
  const signers = await signersOf(signingKeys, origin);
  const files = createR2LogFiles(bindings.LOG);
  const limits = createLocationLimits(bindings, consoleLog);
  const fetch = globalThis.fetch.bind(globalThis);
  return {
    signers,
    files,
    rateLimiter: createWindowRateLimiter(rates, systemClock, limits),
    portsFor: (tree, sinceStart) => ({
      market: createDatabase(bindings.DB),
      clock: systemClock,
      log: consoleLog,
      tree,
      files,
      signers,
      sinceStart,
      witnesses: witnesses.map(({ key, url }) => createLogWitness(key, url, fetch)),
    }),
  };
}

async function signersOf([first, ...more]: LogConfiguration['signingKeys'], origin: string) {
  const signerOf = (secret: string) => noteSignerOf(createSigner(secret), origin, 1);
  const signer = await signerOf(first);
  const others = await Promise.all(more.map(signerOf));
  // At the end of a rotation both secrets are one key for a while: a key signs a note once.
  return [signer, ...others.filter(({ key }) => key.id !== signer.key.id)] as const;
}
