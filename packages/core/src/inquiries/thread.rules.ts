import { DAY_MS, type EpochMs, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';

/** Clause: Limits, inquiry thread. */
export const MAX_MESSAGE_CHARACTERS = 10_000;
export const MAX_MESSAGES = 200;
/** A thread closes when nobody has written for so long. */
const QUIET_DAYS = 30;
export const QUIET_REASON = `Nobody wrote for ${QUIET_DAYS} days.`;

/** `awaiting_inquirer`: the team has answered. */
export type ThreadStatus = 'open' | 'awaiting_inquirer' | 'closed';
export type Author = 'team' | 'inquirer';
/** `policy`: automatically, because nobody wrote. */
export type Closer = 'policy' | 'team';

/** The stored state. `closesAt` may have passed: `threadAt` says how the thread stands now. */
export interface ThreadRow {
  readonly status: ThreadStatus;
  readonly messageCount: number;
  readonly closesAt: IsoTime;
  readonly closesAtSetBy: Closer;
  readonly closedBy: Closer | null;
  readonly closedReason: string | null;
  readonly closedAt: IsoTime | null;
}

/** The thread as it is shown. */
export interface ThreadState {
  readonly closedAt: IsoTime | null;
  readonly closedBy: Closer | null;
  readonly closedReason: string | null;
  /** Null once it is closed. */
  readonly closesAt: IsoTime | null;
  readonly closesAtSetBy: Closer | null;
  readonly status: ThreadStatus;
}

/** The thread's state now. Past `closesAt` it is closed, even before the job has stored that. */
export function threadAt(row: ThreadRow, now: EpochMs): ThreadState {
  const { status, closesAt, closesAtSetBy, closedAt, closedBy, closedReason } = row;
  if (status === 'closed') {
    return { closedAt, closedBy, closedReason, closesAt: null, closesAtSetBy: null, status };
  }
  if (epochOf(closesAt) <= now) {
    return {
      closedAt: closesAt,
      closedBy: 'policy',
      closedReason: QUIET_REASON,
      closesAt: null,
      closesAtSetBy: null,
      status: 'closed',
    };
  }
  return { closedAt: null, closedBy: null, closedReason: null, closesAt, closesAtSetBy, status };
}

/** Why nobody can write to it; null if one can. */
export function refusalToWrite(row: ThreadRow, now: EpochMs): 'closed' | 'full' | null {
  if (threadAt(row, now).status === 'closed') return 'closed';
  return row.messageCount >= MAX_MESSAGES ? 'full' : null;
}

/** How a message changes the thread it is added to. */
export function afterMessage(author: Author, now: EpochMs, days: number | null = null) {
  return {
    status: author === 'team' ? ('awaiting_inquirer' as const) : ('open' as const),
    closesAt: isoTime(now + (days ?? QUIET_DAYS) * DAY_MS),
    closesAtSetBy: days === null ? ('policy' as const) : ('team' as const),
  };
}
