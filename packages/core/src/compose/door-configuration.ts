import * as z from 'zod';
import type { RateTable } from '../adapters/rate-limit/window-rate-limiter.ts';
import { INTENT_CLASSES, type IntentClass } from '../ingress/index.ts';
import { type ConfigurationVariables, readRates } from './configuration.ts';

/** The variables and secrets of the ingress door, as text. */
export interface DoorVariables
  extends Pick<ConfigurationVariables, 'SIGNING_KEY' | 'PUBLIC_BASE_URL' | 'RATE_LIMITS'> {
  readonly INGRESS_SIGNING_KEY?: string;
  /** JSON: live sessions by intent class, where they differ from the default. */
  readonly INGRESS_CAPACITY?: string;
  /** The number of objects that share the sessions of a class. */
  readonly INGRESS_SHARDS?: string;
}

export interface DoorConfiguration {
  readonly signingKey: string;
  readonly doorSigningKey: string;
  readonly publicBaseUrl: string | null;
  readonly rates: RateTable;
  readonly capacity: Readonly<Record<IntentClass, number>>;
  readonly shards: number;
}

const DEFAULT_CAPACITY: Readonly<Record<IntentClass, number>> = {
  COMMERCE: 100_000,
  RESEARCH: 20_000,
  FOUNDING: 10_000,
  SETTLEMENT: 20_000,
  PILOT: 10_000,
  GUEST: 10_000,
};

/** An object keeps its sessions in memory, at about 600 bytes each. */
const MAX_SESSIONS_PER_SHARD = 100_000;

const capacityTable = z.partialRecord(z.enum(INTENT_CLASSES), z.int().min(0));
const shardCount = z.coerce.number().int().min(1).max(64);

/** A missing or contradictory variable stops every request with one clear message. */
export function readDoorConfiguration(variables: DoorVariables): DoorConfiguration {
  const { SIGNING_KEY, INGRESS_SIGNING_KEY, PUBLIC_BASE_URL, RATE_LIMITS } = variables;
  if (!SIGNING_KEY) throw new Error('The secret SIGNING_KEY is not set.');
  if (!INGRESS_SIGNING_KEY) throw new Error('The secret INGRESS_SIGNING_KEY is not set.');
  if (INGRESS_SIGNING_KEY === SIGNING_KEY) {
    throw new Error('INGRESS_SIGNING_KEY must be a key of its own, not SIGNING_KEY.');
  }
  const shards = shardCount.parse(variables.INGRESS_SHARDS || '1');
  const capacity = {
    ...DEFAULT_CAPACITY,
    ...capacityTable.parse(JSON.parse(variables.INGRESS_CAPACITY || '{}')),
  };
  if (Math.max(...Object.values(capacity)) > shards * MAX_SESSIONS_PER_SHARD) {
    throw new Error(`INGRESS_CAPACITY is more than ${MAX_SESSIONS_PER_SHARD} for each of INGRESS_SHARDS.`);
  }
  return {
    signingKey: SIGNING_KEY,
    doorSigningKey: INGRESS_SIGNING_KEY,
    publicBaseUrl: PUBLIC_BASE_URL?.replace(/\/+$/, '') || null,
    rates: readRates(RATE_LIMITS),
    capacity,
    shards,
  };
}
