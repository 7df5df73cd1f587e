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
  /** JSON: `[{"key": "<verifier key>", "url": "https://…"}]`. */
  readonly LOG_WITNESSES?: string;
}

export interface LogConfiguration {
  readonly signingKeys: readonly [string, ...string[]];
  /** The name of the log and of its key: where it is read, without the scheme. */
  readonly origin: string;
  readonly witnesses: readonly { readonly key: NoteKey; readonly url: string }[];
  readonly rates: RateTable;
}

/** Of development, where no address is fixed. */
const LOCAL_ORIGIN = 'localhost/api/log';

const witnessList = z
  .array(z.strictObject({ key: z.string().max(500), url: z.url({ protocol: /^https?$/ }).max(2048) }))
  .max(16);

/** A missing or contradictory variable stops every request with one clear message. */
export async function readLogConfiguration(variables: LogVariables): Promise<LogConfiguration> {
  const {
    LOG_SIGNING_KEY,
    LOG_SIGNING_KEY_NEXT,
    PUBLIC_BASE_URL,
    LOG_WITNESSES,
    RATE_LIMITS,
    SELLER_ENDPOINTS,
  } = variables;
  if (!LOG_SIGNING_KEY) throw new Error('The secret LOG_SIGNING_KEY is not set.');
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
    signingKeys: LOG_SIGNING_KEY_NEXT ? [LOG_SIGNING_KEY, LOG_SIGNING_KEY_NEXT] : [LOG_SIGNING_KEY],
    origin: base ? `${base}/log` : LOCAL_ORIGIN,
    witnesses,
    rates: readRates(RATE_LIMITS),
  };
}
