import { type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';

export interface RecordsEnd {
  /** What is from before has ended. */
  readonly before: IsoTime;
  /** The last month that has, as `2026-12`. */
  readonly month: string;
}

/** Records are kept for so many calendar years after the one they are of, in UTC. */
export function endOfRecords(now: EpochMs, recordsYears: number): RecordsEnd {
  const firstKept = Number(isoTime(now).slice(0, 4)) - recordsYears;
  return { before: `${firstKept}-01-01T00:00:00.000Z`, month: `${firstKept - 1}-12` };
}
