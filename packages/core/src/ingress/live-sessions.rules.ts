import type { EpochMs } from '../kernel/time.ts';
import type { CountQuery } from './depth.rules.ts';
import { isLive, type Session } from './session.rules.ts';

/**
 * The live sessions of one object, counted as they are added and removed, so that a count costs the same for one and
 * for a hundred thousand.
 *
 * Every session expires equally long after its last heartbeat, so a Map that re-inserts it at each heartbeat is in the
 * order of expiry: expired sessions are always at its front, and each is removed once.
 */
export class LiveSessions<S extends Session = Session> {
  readonly #byToken = new Map<string, S>();
  /** For each group that can be asked for, how many sessions each berth key has in it. */
  readonly #groups = new Map<string, Map<string, number>>();
  #latest: EpochMs = Number.NEGATIVE_INFINITY;

  /** @param sessions in the order of their expiry. */
  constructor(sessions: Iterable<S> = []) {
    for (const session of sessions) this.#add(session);
  }

  /** Removes expired sessions. Time never goes back here: callers' clocks differ, and an expired session stays expired. */
  advance(now: EpochMs, onExpired?: (session: S) => void): EpochMs {
    this.#latest = Math.max(this.#latest, now);
    for (const session of this.#byToken.values()) {
      if (isLive(session, this.#latest)) break;
      this.remove(session.token);
      onExpired?.(session);
    }
    return this.#latest;
  }

  /** As of the last `advance`, like everything below. */
  get size(): number {
    return this.#byToken.size;
  }

  get(token: string): S | null {
    return this.#byToken.get(token) ?? null;
  }

  /** The one that expires first. */
  first(): S | null {
    const [first] = this.#byToken.values();
    return first ?? null;
  }

  /** @param session was just admitted or renewed, so it expires last of all. */
  put(session: S): void {
    this.remove(session.token);
    this.#add(session);
  }

  remove(token: string): void {
    const session = this.#byToken.get(token);
    if (session === undefined) return;
    this.#byToken.delete(token);
    for (const name of groupsOf(session)) {
      const berths = this.#groups.get(name);
      const sessionsLeft = (berths?.get(session.berthKey) ?? 0) - 1;
      if (sessionsLeft > 0) berths?.set(session.berthKey, sessionsLeft);
      else berths?.delete(session.berthKey);
      if (berths?.size === 0) this.#groups.delete(name);
    }
  }

  count({ side, vertical, except }: CountQuery): number {
    const berths = this.#groups.get(groupName(side, vertical));
    if (berths === undefined) return 0;
    return except !== null && berths.has(except) ? berths.size - 1 : berths.size;
  }

  #add(session: S): void {
    this.#byToken.set(session.token, session);
    for (const name of groupsOf(session)) {
      const berths = this.#groups.get(name) ?? new Map<string, number>();
      this.#groups.set(name, berths);
      berths.set(session.berthKey, (berths.get(session.berthKey) ?? 0) + 1);
    }
  }
}

function groupsOf({ side, vertical }: Session): string[] {
  const groups = [groupName(null, null), groupName(side, null)];
  return vertical === null ? groups : [...groups, groupName(null, vertical), groupName(side, vertical)];
}

function groupName(side: string | null, vertical: string | null): string {
  return `${side ?? '*'} ${vertical ?? '*'}`;
}
