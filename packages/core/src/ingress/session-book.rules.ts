import type { EpochMs } from '../kernel/time.ts';
import type { CountQuery } from './depth.rules.ts';
import { LiveSessions } from './live-sessions.rules.ts';
import { expiryAfter, type Session } from './session.rules.ts';
import {
  addStoredSigns,
  type Life,
  MAX_SIGNS,
  packSigns,
  SIGNS_INTERVAL_MS,
  type SignsRow,
} from './signs-of-life.rules.ts';

/** A session as it was stored when it was admitted. */
export interface AdmittedSession extends Omit<Session, 'expiresAt'> {
  readonly id: number;
  readonly requestId: string;
  readonly admittedAt: EpochMs;
}

interface HeldSession extends Session {
  readonly id: number;
  readonly requestId: string;
  /** Not before `expiresAt`. */
  readonly acceptedUntil: EpochMs;
}

/**
 * The sessions of one object in memory, exact to the millisecond, and which row must be stored before an answer leaves.
 *
 * Made anew from the rows after a crash, it knows of each session when it was heard at the earliest. Until 120 s after
 * that it counts, so that depth is never too high; a heartbeat is accepted for as long as one that was answered could
 * reach, so that no live session is refused. What ended stays ended: the answer that shows it waits for a row.
 */
export class SessionBook {
  readonly #live: LiveSessions<HeldSession>;
  /** They count no more, and a heartbeat of theirs is accepted: one may be lost. In the order of `acceptedUntil`. */
  readonly #doubtful = new Map<string, HeldSession>();
  /** In the order in which they ended. */
  readonly #ended = new Map<string, HeldSession>();
  readonly #tokenOfRequest = new Map<string, string>();
  /** When the sessions were heard that no row has, by id. */
  readonly #unstored = new Map<number, EpochMs>();
  #open: Pick<SignsRow, 'seq' | 'storedAt'> | null = null;
  /** Whether a session ended that would come back if this object ended now. */
  #hasUnstoredEnd = false;
  #now: EpochMs = Number.NEGATIVE_INFINITY;
  #nextId = 1;
  #nextSeq = 1;

  /** @param rows in the order of `seq`. */
  constructor(admitted: readonly AdmittedSession[], rows: readonly SignsRow[]) {
    const lives = new Map<number, Life>();
    for (const { id, admittedAt } of admitted) {
      const expiresAt = expiryAfter(admittedAt);
      lives.set(id, { expiresAt, acceptedUntil: expiresAt });
      this.#nextId = Math.max(this.#nextId, id + 1);
      this.#now = Math.max(this.#now, admittedAt);
    }
    addStoredSigns(lives, rows);
    for (const { seq, storedAt } of rows) {
      this.#nextSeq = seq + 1;
      this.#now = Math.max(this.#now, storedAt);
    }
    const held = admitted.map(({ admittedAt, ...session }) => ({
      ...session,
      ...(lives.get(session.id) as Life),
    }));
    for (const { requestId, token } of held) this.#tokenOfRequest.set(requestId, token);
    this.#live = new LiveSessions(held.toSorted((a, b) => a.expiresAt - b.expiresAt));
  }

  /** Time never goes back: what has ended stays ended. Everything below is as of the last call. */
  advance(now: EpochMs): EpochMs {
    this.#now = Math.max(this.#now, now);
    this.#live.advance(this.#now, (session) => {
      if (this.#now < session.acceptedUntil) this.#doubtful.set(session.token, session);
      else this.#end(session);
    });
    for (const session of this.#doubtful.values()) {
      if (this.#now < session.acceptedUntil) break;
      this.#end(session);
    }
    return this.#now;
  }

  /** How many places are taken: a session that may come back keeps its own. */
  get size(): number {
    return this.#live.size + this.#doubtful.size;
  }

  get nextId(): number {
    return this.#nextId;
  }

  /** When a place will be free at the latest; null: now. */
  nextEnd(): EpochMs | null {
    const [doubtful] = this.#doubtful.values();
    const ends = [doubtful, this.#live.first()].flatMap((one) => (one ? [one.acceptedUntil] : []));
    return ends.length === 0 ? null : Math.min(...ends);
  }

  find(token: string): HeldSession | null {
    return this.#live.get(token) ?? this.#doubtful.get(token) ?? null;
  }

  findByRequest(requestId: string): HeldSession | null {
    const token = this.#tokenOfRequest.get(requestId);
    return token === undefined ? null : this.find(token);
  }

  /** Until when it may be heard of again; null for a session that is forgotten. */
  endOf(token: string): EpochMs | null {
    return (this.find(token) ?? this.#ended.get(token))?.acceptedUntil ?? null;
  }

  count(query: CountQuery): number {
    return this.#live.count(query);
  }

  /** @param session is stored already. */
  admit({ admittedAt, ...session }: AdmittedSession): EpochMs {
    this.#nextId = Math.max(this.#nextId, session.id + 1);
    this.#tokenOfRequest.set(session.requestId, session.token);
    return this.#putLive(session);
  }

  /** A sign of life, which is not stored yet. */
  renew(session: HeldSession): EpochMs {
    this.#doubtful.delete(session.token);
    this.#unstored.set(session.id, this.#now);
    return this.#putLive(session);
  }

  remove({ token, id, requestId }: HeldSession): void {
    this.#live.remove(token);
    this.#doubtful.delete(token);
    this.#unstored.delete(id);
    this.#tokenOfRequest.delete(requestId);
  }

  /**
   * What has to be stored before an answer leaves; null: nothing.
   * @param showsEnds whether the answer depends on which sessions have ended.
   */
  rowDue({ showsEnds }: { readonly showsEnds: boolean }): SignsRow | null {
    const isCovered = this.#open !== null && this.#now < this.#open.storedAt + SIGNS_INTERVAL_MS;
    const hasSignsDue = this.#unstored.size > 0 && (!isCovered || this.#unstored.size >= MAX_SIGNS);
    return hasSignsDue || (showsEnds && this.#hasUnstoredEnd) ? this.#rowOf(true) : null;
  }

  /** The last row of an interval after which nothing was heard; null if there is none to complete. */
  closingRow(): SignsRow | null {
    return this.#open === null ? null : this.#rowOf(false);
  }

  /** Which row is open now. */
  get openSeq(): number | null {
    return this.#open?.seq ?? null;
  }

  /** @param row was given here last, and is stored. */
  markStored({ seq, storedAt, isOpen }: SignsRow): void {
    this.#nextSeq = seq + 1;
    this.#open = isOpen ? { seq, storedAt } : null;
    this.#unstored.clear();
    this.#hasUnstoredEnd = false;
  }

  /** Forgets sessions that ended by then, the oldest first, and gives their ids. */
  forgetEnded(by: EpochMs, limit: number): number[] {
    const ids: number[] = [];
    for (const { token, id, acceptedUntil } of this.#ended.values()) {
      if (acceptedUntil > by || ids.length === limit) break;
      this.#ended.delete(token);
      ids.push(id);
    }
    return ids;
  }

  #putLive(session: Omit<HeldSession, 'expiresAt' | 'acceptedUntil'>): EpochMs {
    const expiresAt = expiryAfter(this.#now);
    this.#live.put({ ...session, expiresAt, acceptedUntil: expiresAt });
    return expiresAt;
  }

  #rowOf(isOpen: boolean): SignsRow {
    return {
      seq: this.#nextSeq,
      storedAt: this.#now,
      completes: this.#open?.seq ?? null,
      isOpen,
      signs: packSigns(this.#unstored, this.#now),
    };
  }

  #end(session: HeldSession): void {
    this.#doubtful.delete(session.token);
    this.#ended.set(session.token, session);
    if (this.findByRequest(session.requestId) === null) this.#tokenOfRequest.delete(session.requestId);
    this.#hasUnstoredEnd ||= this.#open !== null;
  }
}
