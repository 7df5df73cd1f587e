import { DurableObject } from 'cloudflare:workers';
import {
  type CountQuery,
  decideCapacity,
  ENDED_KEPT_MS,
  expiryAfter,
  LiveSessions,
  otherSide,
  type Session,
} from '@agent-marketplace/core/ingress/index.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '@agent-marketplace/core/kernel/time.ts';
import { CommitBatcher } from './commit-batcher.ts';

export type NewSession = Pick<Session, 'berthKey' | 'side' | 'vertical'> & { readonly requestId: string };

export type SessionDecision =
  | {
      readonly kind: 'admitted';
      readonly token: string;
      readonly expiresAt: EpochMs;
      readonly others: number;
    }
  | { readonly kind: 'exhausted'; readonly retryAfterSeconds: number };

/** A session as its row has it; what a row is may not be an interface. */
type Row = { [Field in keyof Session]: Session[Field] };

const CLEANUP_INTERVAL_MS = MINUTE_MS;
const CLEANUP_BATCH = 5000;

/**
 * The sessions and the capacity of one intent class, or of one shard of it. The rows are the truth; what is
 * counted in memory is made from them when the object wakes. What each call does is synchronous, so calls
 * do not interleave; those that write wait for one another, and share a commit.
 */
export class SessionsObject extends DurableObject {
  readonly #commits = new CommitBatcher();
  #live: LiveSessions | null = null;
  #isAlarmSet = false;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    ctx.storage.sql.exec(`CREATE TABLE IF NOT EXISTS sessions (
        request_id TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, berth_key TEXT NOT NULL,
        side TEXT NOT NULL, vertical TEXT, expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS sessions_expiry ON sessions (expires_at);`);
  }

  /** The same requestId with the same terms gets the same session, and no second place. */
  admit(request: NewSession, budget: number, now: EpochMs): Promise<SessionDecision> {
    return this.#commits.run(() => this.#admit(request, budget, now));
  }

  /** Until when the session lives now; null if it has expired or never was. */
  heartbeat(token: string, now: EpochMs): Promise<EpochMs | null> {
    return this.#commits.run(() => this.#renew(token, now));
  }

  #admit(request: NewSession, budget: number, now: EpochMs): SessionDecision {
    const { requestId, berthKey, side, vertical } = request;
    const { live, at } = this.#liveAt(now);
    const earlier = this.#findLive(requestId, live);
    if (earlier === null) {
      const decision = decideCapacity(live.size, budget, live.nextExpiry(), at);
      if (!decision.admitted) return { kind: 'exhausted', retryAfterSeconds: decision.retryAfterSeconds };
    }
    const isSame = earlier?.berthKey === berthKey && earlier.side === side && earlier.vertical === vertical;
    const token = isSame ? earlier.token : crypto.randomUUID();
    const session: Session = { token, berthKey, side, vertical, expiresAt: expiryAfter(at) };
    this.ctx.storage.sql.exec(
      'INSERT OR REPLACE INTO sessions (request_id, token, berth_key, side, vertical, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      requestId,
      token,
      berthKey,
      side,
      vertical,
      session.expiresAt,
    );
    if (earlier !== null) live.remove(earlier.token);
    live.put(session);
    this.#scheduleCleanup();
    const others = live.count({ side: otherSide(side), vertical, except: berthKey });
    return { kind: 'admitted', token, expiresAt: session.expiresAt, others };
  }

  #renew(token: string, now: EpochMs): EpochMs | null {
    const { live, at } = this.#liveAt(now);
    const session = live.get(token);
    if (session === null) return null;
    const expiresAt = expiryAfter(at);
    this.ctx.storage.sql.exec('UPDATE sessions SET expires_at = ? WHERE token = ?', expiresAt, token);
    live.put({ ...session, expiresAt });
    return expiresAt;
  }

  count(query: CountQuery, now: EpochMs): number {
    return this.#liveAt(now).live.count(query);
  }

  /** Until when each session lived or will live; null for those that are forgotten. */
  endsOf(tokens: readonly string[]): (EpochMs | null)[] {
    const { sql } = this.ctx.storage;
    return tokens.map((token) => {
      const [row] = sql.exec<{ end: EpochMs }>(
        'SELECT expires_at AS end FROM sessions WHERE token = ?',
        token,
      );
      return row?.end ?? null;
    });
  }

  /** Garbage only: what has expired counts nowhere, collected or not. */
  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    const collected = sql.exec(
      `DELETE FROM sessions WHERE request_id IN
        (SELECT request_id FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?) RETURNING 1`,
      Date.now() - ENDED_KEPT_MS - MINUTE_MS,
      CLEANUP_BATCH,
    );
    const isMore = collected.toArray().length === CLEANUP_BATCH;
    this.#isAlarmSet = false;
    const [left] = sql.exec('SELECT 1 FROM sessions LIMIT 1');
    if (left !== undefined) this.#scheduleCleanup(isMore ? SECOND_MS : CLEANUP_INTERVAL_MS);
  }

  #liveAt(now: EpochMs): { live: LiveSessions; at: EpochMs } {
    const live = this.#live ?? this.#load(now);
    this.#live = live;
    return { live, at: live.advance(now) };
  }

  #load(now: EpochMs): LiveSessions {
    const rows = this.ctx.storage.sql.exec<Row>(
      `SELECT token, berth_key AS berthKey, side, vertical, expires_at AS expiresAt FROM sessions
        WHERE expires_at > ? ORDER BY expires_at`,
      now,
    );
    return new LiveSessions(rows);
  }

  #findLive(requestId: string, live: LiveSessions): Session | null {
    const [row] = this.ctx.storage.sql.exec<Pick<Row, 'token'>>(
      'SELECT token FROM sessions WHERE request_id = ?',
      requestId,
    );
    return row === undefined ? null : live.get(row.token);
  }

  #scheduleCleanup(delayMs: number = CLEANUP_INTERVAL_MS): void {
    if (this.#isAlarmSet) return;
    this.#isAlarmSet = true;
    void this.ctx.storage.setAlarm(Date.now() + delayMs);
  }
}
