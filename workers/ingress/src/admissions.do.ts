import { DurableObject } from 'cloudflare:workers';
import { consoleLog } from '@agent-marketplace/core/adapters/system/system.ts';
import { doorIsolateOf } from '@agent-marketplace/core/compose/door-runtime.ts';
import {
  type AdmissionRecord,
  type AdmissionRecords,
  admissionAnswer,
  admitOnce,
  keptUntil,
} from '@agent-marketplace/core/ingress/index.ts';
import type { AdmissionAnswer, AdmissionRequest } from '@agent-marketplace/core/kernel/ports/ingress.ts';
import { type EpochMs, MINUTE_MS } from '@agent-marketplace/core/kernel/time.ts';
import type { DoorBindings } from './bindings.ts';
import { createSessionObjects } from './session-objects.ts';

type Row = {
  request_id: string;
  terms: string;
  session_id: string;
  text: string;
  digest: string;
  kept_until: number;
};
type DueRow = Pick<Row, 'request_id' | 'session_id'>;

const CLEANUP_INTERVAL_MS = MINUTE_MS;
const CLEANUP_BATCH = 500;

/**
 * What was answered to the requestIds of one shard. It asks the object of the class itself and makes the
 * receipt, because an answer must be kept before it is given: so an admission is two object calls.
 */
export class AdmissionsObject extends DurableObject<DoorBindings> {
  readonly #turns = new Map<string, Promise<unknown>>();
  #isAlarmSet = false;

  constructor(ctx: DurableObjectState, env: DoorBindings) {
    super(ctx, env);
    ctx.storage.sql.exec(`CREATE TABLE IF NOT EXISTS admissions (
        request_id TEXT PRIMARY KEY, terms TEXT NOT NULL, session_id TEXT NOT NULL, text TEXT NOT NULL,
        digest TEXT NOT NULL, kept_until INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      DROP INDEX IF EXISTS admissions_expiry;`);
  }

  async admit(request: AdmissionRequest): Promise<AdmissionAnswer> {
    try {
      const { signers } = doorIsolateOf(this.env);
      return await this.#serialize(request.requestId, () =>
        admitOnce(request, this.#records, this.#sessions(), (admission) =>
          admissionAnswer(signers, request, admission),
        ),
      );
    } catch (error) {
      consoleLog.error('admission_failed', { message: String(error) });
      return { kind: 'unavailable' };
    }
  }

  /** Garbage only: a record that has had its time is as good as none, unless its session lives on. */
  override async alarm(): Promise<void> {
    this.#isAlarmSet = false;
    const now = Date.now();
    for (let after = ''; ; ) {
      const due = this.#dueAfter(after, now);
      await this.#collect(due, now);
      const last = due.at(-1);
      if (last === undefined || due.length < CLEANUP_BATCH) break;
      after = last.request_id;
    }
    const [left] = this.ctx.storage.sql.exec('SELECT 1 FROM admissions LIMIT 1');
    if (left !== undefined) this.#scheduleCleanup();
  }

  /** Without an index, which would be written with every admission, and read only here. */
  #dueAfter(requestId: string, now: EpochMs): DueRow[] {
    return this.ctx.storage.sql
      .exec<DueRow>(
        `SELECT request_id, session_id FROM admissions
          WHERE request_id > ? AND kept_until <= ? ORDER BY request_id LIMIT ?`,
        requestId,
        now,
        CLEANUP_BATCH,
      )
      .toArray();
  }

  async #collect(due: readonly DueRow[], now: EpochMs): Promise<void> {
    const ends = await this.#sessions().endsOf(due.map(({ session_id }) => session_id));
    for (const [index, { request_id }] of due.entries()) {
      const end = ends[index] ?? null;
      if (end === 'unavailable' || (end !== null && keptUntil(end) > now)) continue;
      this.ctx.storage.sql.exec(
        'DELETE FROM admissions WHERE request_id = ? AND kept_until <= ?',
        request_id,
        now,
      );
    }
  }

  readonly #records: AdmissionRecords = {
    find: (requestId) => {
      const [row] = this.ctx.storage.sql.exec<Omit<Row, 'request_id'>>(
        'SELECT terms, session_id, text, digest, kept_until FROM admissions WHERE request_id = ?',
        requestId,
      );
      return row === undefined ? null : recordOf(row);
    },
    put: (requestId, { terms, sessionId, text, digest, keptUntil }) => {
      this.ctx.storage.sql.exec(
        'INSERT OR REPLACE INTO admissions (request_id, terms, session_id, text, digest, kept_until) VALUES (?, ?, ?, ?, ?, ?)',
        requestId,
        terms,
        sessionId,
        text,
        digest,
        keptUntil,
      );
      this.#scheduleCleanup();
    },
  };

  #sessions() {
    const { configuration } = doorIsolateOf(this.env);
    return createSessionObjects(this.env.SESSIONS, configuration);
  }

  /** One at a time for each requestId: a repetition waits for the first to be kept, or to fail. */
  async #serialize<T>(requestId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(requestId);
    const turn = before === undefined ? work() : before.then(work, work);
    this.#turns.set(requestId, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(requestId) === turn) this.#turns.delete(requestId);
    }
  }

  #scheduleCleanup(): void {
    if (this.#isAlarmSet) return;
    this.#isAlarmSet = true;
    void this.ctx.storage.setAlarm(Date.now() + CLEANUP_INTERVAL_MS);
  }
}

function recordOf({ terms, session_id, text, digest, kept_until }: Omit<Row, 'request_id'>): AdmissionRecord {
  return { terms, sessionId: session_id, text, digest, keptUntil: kept_until };
}
