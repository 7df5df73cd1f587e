import { type NoteKey, parseNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import * as z from 'zod';
import type { RateTable } from '../adapters/rate-limit/window-rate-limiter.ts';
import { type ConfigurationVariables, readRates } from './configuration.ts';

/** The variables and secrets of the transparency log, as text. */
export interface LogVariables
  extends Pick<ConfigurationVariables, 'PUBLIC_BASE_URL' | 'RATE_LIMITS' | 'SELLER_ENDPOINTS'> {
  readonly LOG_SIGNING_KEY?: string;
  /** The key that will take its place: until then, checkpoints are signed by both. */
  readonly LOG_SIGNING_KEY_NEXT?: string;
  /** Which log it is, where another ended: 2 for the second. */
  readonly LOG_NUMBER?: string;
  /** The keys of the logs after the first, by number. */
  readonly [secret: `LOG_SIGNING_KEY_${number}`]: string | undefined;
  /** `true`: the key of the log before was stolen, and signs nothing more. */
  readonly LOG_FORMER_KEY_STOLEN?: string;
  /** JSON: `[{"key": "<verifier key>", "url": "https://…"}]`. */
  readonly LOG_WITNESSES?: string;
}

export interface LogConfiguration {
  readonly signingKeys: readonly [string, ...string[]];
  /** 1 for the first. */
  readonly number: number;
  /** The name of each log so far and of its key, the first one first: where it is read, without the scheme. */
  readonly origins: readonly string[];
  /** Secrets of the logs before, by their place in `origins`; undefined: it is not there any more. */
  readonly formerKeys: readonly (string | undefined)[];
  readonly isFormerKeyStolen: boolean;
  readonly witnesses: readonly { readonly key: NoteKey; readonly url: string }[];
  readonly rates: RateTable;
}

/** Of development, where no address is fixed. */
export const LOCAL_LOG_ORIGIN = 'localhost/api/log';

/** One after the other: whoever needs more has other troubles. */
export const MOST_LOGS = 4;

/** Below the prefix of the first log. */
export const logPathOf = (number: number): string => (number === 1 ? '' : `/${number}`);

export const logKeyNameOf = (number: number): 'LOG_SIGNING_KEY' | `LOG_SIGNING_KEY_${number}` =>
  number === 1 ? 'LOG_SIGNING_KEY' : `LOG_SIGNING_KEY_${number}`;

const witnessList = z
  .array(z.strictObject({ key: z.string().max(500), url: z.url({ protocol: /^https?$/ }).max(2048) }))
  .max(16);

/** A missing or contradictory variable stops every request with one clear message. */
export async function readLogConfiguration(variables: LogVariables): Promise<LogConfiguration> {
  const {
    LOG_SIGNING_KEY_NEXT,
    LOG_NUMBER,
    LOG_FORMER_KEY_STOLEN,
    PUBLIC_BASE_URL,
    LOG_WITNESSES,
    RATE_LIMITS,
    SELLER_ENDPOINTS,
  } = variables;
  const number = Number(LOG_NUMBER || '1');
  if (!Number.isInteger(number) || number < 1 || number > MOST_LOGS)
    throw new Error(`LOG_NUMBER must be a whole number from 1 to ${MOST_LOGS}, not ${LOG_NUMBER}.`);
  const keys = Array.from({ length: number }, (_, at) => variables[logKeyNameOf(at + 1)] || undefined);
  const key = keys[number - 1];
  if (key === undefined) throw new Error(`The secret ${logKeyNameOf(number)} is not set.`);
  const isLocal = SELLER_ENDPOINTS === 'loopback';
  const base = PUBLIC_BASE_URL?.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  if (!base && !isLocal) throw new Error('The variable PUBLIC_BASE_URL is not set: the log is named by it.');
  const witnesses = await Promise.all(
    witnessList.parse(JSON.parse(LOG_WITNESSES || '[]')).map(async ({ key, url }) => {
      const parsed = await parseNoteKey(key);
      if (parsed?.type !== 4) throw new Error('LOG_WITNESSES holds a key that is no witness’s.');
      if (!isLocal && !url.startsWith('https://')) throw new Error(`LOG_WITNESSES: ${url} is not https.`);
      return { key: parsed, url: url.replace(/\/+$/, '') };
    }),
  );
  return {
    signingKeys: LOG_SIGNING_KEY_NEXT ? [key, LOG_SIGNING_KEY_NEXT] : [key],
    number,
    origins: keys.map((_, at) => `${base ? `${base}/log` : LOCAL_LOG_ORIGIN}${logPathOf(at + 1)}`),
    formerKeys: keys.slice(0, -1),
    isFormerKeyStolen: LOG_FORMER_KEY_STOLEN === 'true',
    witnesses,
    rates: readRates(RATE_LIMITS),
  };
}
