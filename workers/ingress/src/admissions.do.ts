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
import { MINUTE_MS, SECOND_MS } from '@agent-marketplace/core/kernel/time.ts';
import type { DoorBindings } from './bindings.ts';
import { createSessionObjects } from './session-objects.ts';

type Row = { terms: string; session_id: string; text: string; digest: string; kept_until: number };

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
      ) STRICT;
      CREATE INDEX IF NOT EXISTS admissions_expiry ON admissions (kept_until);`);
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
    const { sql } = this.ctx.storage;
    const now = Date.now();
    const due = sql
      .exec<{ request_id: string; session_id: string }>(
        'SELECT request_id, session_id FROM admissions WHERE kept_until <= ? ORDER BY kept_until LIMIT ?',
        now,
        CLEANUP_BATCH,
      )
      .toArray();
    const ends = await this.#sessions().endsOf(due.map(({ session_id }) => session_id));
    for (const [index, { request_id }] of due.entries()) {
      const end = ends[index] ?? null;
      if (end === 'unavailable') continue;
      if (end !== null && keptUntil(end) > now) {
        sql.exec('UPDATE admissions SET kept_until = ? WHERE request_id = ?', keptUntil(end), request_id);
      } else {
        sql.exec('DELETE FROM admissions WHERE request_id = ? AND kept_until <= ?', request_id, now);
      }
    }
    const [left] = sql.exec('SELECT 1 FROM admissions LIMIT 1');
    const isMore = due.length === CLEANUP_BATCH;
    if (left !== undefined) this.#scheduleCleanup(isMore ? SECOND_MS : CLEANUP_INTERVAL_MS);
  }

  readonly #records: AdmissionRecords = {
    find: (requestId) => {
      const [row] = this.ctx.storage.sql.exec<Row>(
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

  #scheduleCleanup(delayMs: number = CLEANUP_INTERVAL_MS): void {
    if (this.#isAlarmSet) return;
    this.#isAlarmSet = true;
    void this.ctx.storage.setAlarm(Date.now() + delayMs);
  }
}

function recordOf({ terms, session_id, text, digest, kept_until }: Row): AdmissionRecord {
  return { terms, sessionId: session_id, text, digest, keptUntil: kept_until };
}
