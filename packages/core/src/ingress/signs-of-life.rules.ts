import { type EpochMs, SECOND_MS } from '../kernel/time.ts';
import { expiryAfter } from './session.rules.ts';

/** Signs of life are stored together: what was heard in this time is one row. */
export const SIGNS_INTERVAL_MS = 15 * SECOND_MS;

/** More than these in one row come near the 2 MB that a row may have. */
export const MAX_SIGNS = 200_000;

/**
 * The signs of life since the row before it, the last of each session. While it is open, more may have been heard and
 * answered after `storedAt`, for `SIGNS_INTERVAL_MS`: the row that completes it has them. Where there is none, the
 * object ended before, and they are lost.
 */
export interface SignsRow {
  readonly seq: number;
  readonly storedAt: EpochMs;
  readonly completes: number | null;
  readonly isOpen: boolean;
  /** Two 32-bit integers for each session: its id, and how many milliseconds before `storedAt` it was heard. */
  readonly signs: ArrayBuffer;
}

/** Until when a session counts, and until when a heartbeat of it is accepted: later, where a sign may be lost. */
export interface Life {
  expiresAt: EpochMs;
  acceptedUntil: EpochMs;
}

export function packSigns(heardAt: ReadonlyMap<number, EpochMs>, storedAt: EpochMs): ArrayBuffer {
  const words = new Uint32Array(2 * heardAt.size);
  let word = 0;
  for (const [id, at] of heardAt) {
    words[word++] = id;
    words[word++] = storedAt - at;
  }
  return words.buffer;
}

/**
 * Adds what the rows say to lives that are as their admissions left them.
 * @param lives by id.
 * @param rows in the order of `seq`.
 */
export function addStoredSigns(lives: ReadonlyMap<number, Life>, rows: readonly SignsRow[]): void {
  const completed = new Set(rows.map(({ completes }) => completes));
  for (const { seq, storedAt, isOpen, signs } of rows) {
    const words = new Uint32Array(signs);
    for (let word = 0; word < words.length; word += 2) {
      const life = lives.get(words[word] as number);
      if (life === undefined) continue;
      // It was heard after whatever was lost before.
      life.expiresAt = expiryAfter(storedAt - (words[word + 1] as number));
      life.acceptedUntil = life.expiresAt;
    }
    if (!isOpen || completed.has(seq)) continue;
    // Whoever may have been live then may have been heard, and answered, until the interval was over.
    const lastAnswered = expiryAfter(storedAt + SIGNS_INTERVAL_MS);
    for (const life of lives.values()) {
      if (life.acceptedUntil > storedAt) life.acceptedUntil = Math.max(life.acceptedUntil, lastAnswered);
    }
  }
}
