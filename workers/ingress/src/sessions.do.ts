import { DurableObject } from 'cloudflare:workers';
import {
  type AdmittedSession,
  type CountQuery,
  decideCapacity,
  ENDED_KEPT_MS,
  otherSide,
  type Session,
  SessionBook,
  SIGNS_INTERVAL_MS,
  type SignsRow,
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

/** A row of either table; what is read of SQL may not be an interface. */
type AdmittedRow = { [Field in keyof AdmittedSession]: AdmittedSession[Field] };
type SignsOfLifeRow = { [Field in keyof Omit<SignsRow, 'isOpen'>]: SignsRow[Field] } & { isOpen: number };

const CLEANUP_INTERVAL_MS = MINUTE_MS;
const CLEANUP_BATCH = 5000;
const ENDED_STORED_MS = ENDED_KEPT_MS + MINUTE_MS;
/** Longer than a session is stored after its last sign. */
const SIGNS_STORED_MS = ENDED_STORED_MS + 5 * MINUTE_MS;

/**
 * The sessions and the capacity of one intent class, or of one shard of it. Each session is a row; heartbeats are stored
 * together, those of 15 seconds in one row. What is counted in memory is made from the rows when the object wakes. What
 * each call does is synchronous, so calls do not interleave; admissions wait for one another, and share a commit.
 */
export class SessionsObject extends DurableObject {
  readonly #commits = new CommitBatcher();
  #loaded: SessionBook | null = null;
  #isAlarmSet = false;
  #isClosing = false;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    ctx.storage.sql.exec(`CREATE TABLE IF NOT EXISTS admitted (
        id INTEGER PRIMARY KEY, request_id TEXT NOT NULL, token TEXT NOT NULL, berth_key TEXT NOT NULL,
        side TEXT NOT NULL, vertical TEXT, admitted_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS signs_of_life (
        seq INTEGER PRIMARY KEY, stored_at INTEGER NOT NULL, completes INTEGER, is_open INTEGER NOT NULL,
        signs BLOB NOT NULL
      ) STRICT;`);
  }

  /** The same requestId with the same terms gets the same session, and no second place. */
  admit(request: NewSession, budget: number, now: EpochMs): Promise<SessionDecision> {
    return this.#commits.run(() => this.#admit(request, budget, now));
  }

  /** Until when the session lives now; null if it has expired or never was. */
  heartbeat(token: string, now: EpochMs): EpochMs | null {
    const { book } = this.#bookAt(now);
    const session = book.find(token);
    const expiresAt = session === null ? null : book.renew(session);
    this.#storeDue(book, { showsEnds: expiresAt === null });
    return expiresAt;
  }

  count(query: CountQuery, now: EpochMs): number {
    const { book } = this.#bookAt(now);
    this.#storeDue(book, { showsEnds: true });
    return book.count(query);
  }

  /** Until when each session could or can be heard of; null for those that are forgotten. */
  endsOf(tokens: readonly string[]): (EpochMs | null)[] {
    const book = this.#book();
    return tokens.map((token) => book.endOf(token));
  }

  /** Garbage only: what has ended counts nowhere, collected or not. */
  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    const ended = this.#bookAt(now).book.forgetEnded(now - ENDED_STORED_MS, CLEANUP_BATCH);
    sql.exec('DELETE FROM admitted WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ended));
    const old = sql
      .exec(
        `DELETE FROM signs_of_life WHERE stored_at <= ? AND seq IN
          (SELECT seq FROM signs_of_life ORDER BY seq LIMIT ?) RETURNING 1`,
        now - SIGNS_STORED_MS,
        CLEANUP_BATCH,
      )
      .toArray();
    this.#isAlarmSet = false;
    const [left] = sql.exec('SELECT 1 FROM admitted UNION ALL SELECT 1 FROM signs_of_life LIMIT 1');
    const isMore = Math.max(ended.length, old.length) === CLEANUP_BATCH;
    if (left !== undefined) this.#scheduleCleanup(isMore ? SECOND_MS : CLEANUP_INTERVAL_MS);
  }

  #admit(request: NewSession, budget: number, now: EpochMs): SessionDecision {
    const { requestId, berthKey, side, vertical } = request;
    const { book, at } = this.#bookAt(now);
    const earlier = book.findByRequest(requestId);
    if (earlier === null) {
      const decision = decideCapacity(book.size, budget, book.nextEnd(), at);
      if (!decision.admitted) return { kind: 'exhausted', retryAfterSeconds: decision.retryAfterSeconds };
    }
    const isSame = earlier?.berthKey === berthKey && earlier.side === side && earlier.vertical === vertical;
    const token = isSame ? earlier.token : crypto.randomUUID();
    let expiresAt: EpochMs;
    if (isSame) {
      expiresAt = book.renew(earlier);
    } else {
      const session = { id: book.nextId, requestId, token, berthKey, side, vertical, admittedAt: at };
      this.#storeAdmitted(session, earlier?.id ?? null);
      if (earlier !== null) book.remove(earlier);
      expiresAt = book.admit(session);
    }
    this.#storeDue(book, { showsEnds: true });
    this.#scheduleCleanup();
    const others = book.count({ side: otherSide(side), vertical, except: berthKey });
    return { kind: 'admitted', token, expiresAt, others };
  }

  #storeAdmitted(session: AdmittedSession, replacedId: number | null): void {
    const { id, requestId, token, berthKey, side, vertical, admittedAt } = session;
    const { sql } = this.ctx.storage;
    if (replacedId !== null) sql.exec('DELETE FROM admitted WHERE id = ?', replacedId);
    sql.exec(
      `INSERT INTO admitted (id, request_id, token, berth_key, side, vertical, admitted_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      requestId,
      token,
      berthKey,
      side,
      vertical,
      admittedAt,
    );
  }

  #storeDue(book: SessionBook, answer: { readonly showsEnds: boolean }): void {
    const row = book.rowDue(answer);
    if (row === null) return;
    this.#storeSigns(book, row);
    this.#closeWhenQuiet(book);
  }

  /** The answer waits for the commit, as does every other that leaves before it is done. */
  #storeSigns(book: SessionBook, row: SignsRow): void {
    this.ctx.storage.sql.exec(
      'INSERT INTO signs_of_life (seq, stored_at, completes, is_open, signs) VALUES (?, ?, ?, ?, ?)',
      row.seq,
      row.storedAt,
      row.completes,
      row.isOpen ? 1 : 0,
      row.signs,
    );
    book.markStored(row);
  }

  /** An object that is no longer called would be evicted with its last signs: they would be lost as in a crash. */
  #closeWhenQuiet(book: SessionBook): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const { openSeq } = book;
    setTimeout(() => {
      this.#isClosing = false;
      const row = book.closingRow();
      if (row === null) return;
      if (book.openSeq === openSeq) this.#storeSigns(book, row);
      else this.#closeWhenQuiet(book);
    }, SIGNS_INTERVAL_MS);
  }

  #bookAt(now: EpochMs): { book: SessionBook; at: EpochMs } {
    const book = this.#book();
    return { book, at: book.advance(now) };
  }

  #book(): SessionBook {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  #load(): SessionBook {
    const { sql } = this.ctx.storage;
    const admitted = sql.exec<AdmittedRow>(
      `SELECT id, request_id AS requestId, token, berth_key AS berthKey, side, vertical, admitted_at AS admittedAt
        FROM admitted ORDER BY id`,
    );
    const rows = sql.exec<SignsOfLifeRow>(
      'SELECT seq, stored_at AS storedAt, completes, is_open AS isOpen, signs FROM signs_of_life ORDER BY seq',
    );
    return new SessionBook(
      admitted.toArray(),
      rows.toArray().map((row) => ({ ...row, isOpen: row.isOpen === 1 })),
    );
  }

  #scheduleCleanup(delayMs: number = CLEANUP_INTERVAL_MS): void {
    if (this.#isAlarmSet) return;
    this.#isAlarmSet = true;
    void this.ctx.storage.setAlarm(Date.now() + delayMs);
  }
}
