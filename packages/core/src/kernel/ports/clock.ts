import type { EpochMs } from '../time.ts';

export interface Clock {
  now(): EpochMs;
  sleep(durationMs: number): Promise<void>;
}
