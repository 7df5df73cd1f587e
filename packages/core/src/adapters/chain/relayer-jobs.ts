import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { GasCost, SignedTransfer } from '../../kernel/ports/chain.ts';
import type { Fees } from './relayer.rules.ts';
import type { ContractCall } from './token-calls.ts';

/**
 * `open`: not mined yet. `mined`: in a block that a reorganisation may still remove. `done` and `failed` are
 * final; a failed job may be started again.
 */
export type JobState = 'open' | 'mined' | 'done' | 'failed';

export interface Job {
  readonly reference: string;
  readonly transfer: SignedTransfer;
  readonly call: ContractCall;
  readonly gas: bigint;
  readonly nonce: number;
  readonly state: JobState;
  /** The transaction that was mined, or else the last one sent. */
  readonly transaction: Hex | null;
  readonly createdAt: number;
}

export interface Send {
  readonly hash: Hex;
  readonly raw: Hex;
  readonly fees: Fees;
  readonly sentAt: number;
}

interface JobRow extends Record<string, SqlStorageValue> {
  reference: string;
  transfer: string;
  call_to: string;
  call_data: string;
  gas: string;
  nonce: number;
  state: string;
  transaction_hash: string | null;
  created_at: number;
}

interface SendRow extends Record<string, SqlStorageValue> {
  hash: string;
  raw: string;
  max_fee: string;
  priority_fee: string;
  sent_at: number;
}

/** A reference is account, colon, nonce; the nonce begins at this position. */
const NONCE_AT = 44;
/** Nodes behind one address may be this far apart. */
const LAG_MS = 60_000;
/** Twice the time in which an x402 payment may be presented again. Payouts are never deleted. */
const RETENTION_MS = 14 * 24 * 3600_000;

/** The relayer's records: each requested transfer, its nonce, and the transactions sent for it. */
export class RelayerJobs {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS jobs (
        reference TEXT PRIMARY KEY, transfer TEXT NOT NULL, call_to TEXT NOT NULL, call_data TEXT NOT NULL,
        gas TEXT NOT NULL, nonce INTEGER NOT NULL, state TEXT NOT NULL, transaction_hash TEXT,
        created_at INTEGER NOT NULL, is_payout INTEGER NOT NULL,
        CHECK (state IN ('open', 'mined', 'done', 'failed'))
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX IF NOT EXISTS jobs_nonce ON jobs (nonce) WHERE state IN ('open', 'mined');
      CREATE INDEX IF NOT EXISTS jobs_age ON jobs (created_at) WHERE is_payout = 0;
      CREATE INDEX IF NOT EXISTS jobs_of_payouts ON jobs (substr(reference, ${NONCE_AT})) WHERE is_payout = 1;
      CREATE TABLE IF NOT EXISTS sends (
        hash TEXT PRIMARY KEY, reference TEXT NOT NULL, raw TEXT NOT NULL,
        max_fee TEXT NOT NULL, priority_fee TEXT NOT NULL, sent_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS sends_reference ON sends (reference, sent_at);
      CREATE TABLE IF NOT EXISTS gas_costs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, transaction_hash TEXT NOT NULL UNIQUE, wei TEXT NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS account (
        id INTEGER PRIMARY KEY CHECK (id = 1), highest_final INTEGER NOT NULL, recorded_at INTEGER NOT NULL
      ) STRICT;`);
  }

  get(reference: string): Job | null {
    const [row] = this.#sql.exec<JobRow>('SELECT * FROM jobs WHERE reference = ?', reference);
    return row ? jobOf(row) : null;
  }

  /** The job of a payout with this nonce, also where an earlier key of the account signed it. */
  payoutOf(nonce: Hex): Job | null {
    const [row] = this.#sql.exec<JobRow>(
      `SELECT * FROM jobs WHERE is_payout = 1 AND substr(reference, ${NONCE_AT}) = ?`,
      nonce.toLowerCase(),
    );
    return row ? jobOf(row) : null;
  }

  /** Signed payouts that the chain is not known to have made: anybody may still execute them. */
  owedByPayouts(): bigint {
    const rows = this.#sql.exec<{ transfer: string }>(
      "SELECT transfer FROM jobs WHERE is_payout = 1 AND state IN ('open', 'failed')",
    );
    return [...rows].reduce((sum, { transfer }) => sum + parseTransfer(transfer).authorization.units, 0n);
  }

  /** A payout that can never be executed any more is owed no more. */
  forgetExpiredPayout(reference: string): void {
    this.#sql.exec("DELETE FROM jobs WHERE reference = ? AND is_payout = 1 AND state = 'failed'", reference);
  }

  /** The jobs that are not final, by nonce. */
  unsettled(): Job[] {
    const rows = this.#sql.exec<JobRow>(
      "SELECT * FROM jobs WHERE state IN ('open', 'mined') ORDER BY nonce LIMIT 100",
    );
    return [...rows].map(jobOf);
  }

  takenNonces(): number[] {
    const rows = this.#sql.exec<{ nonce: number }>("SELECT nonce FROM jobs WHERE state IN ('open', 'mined')");
    return [...rows].map(({ nonce }) => nonce);
  }

  /** The highest nonce that became final lately: a node that lags behind may not count it yet. */
  highestFinal(now: number): number | null {
    const [row] = this.#sql.exec<{ highest: number }>(
      'SELECT highest_final AS highest FROM account WHERE recorded_at > ?',
      now - LAG_MS,
    );
    return row?.highest ?? null;
  }

  /** Replaces a failed job of the same reference; a payout also replaces one that another key signed. */
  add(job: Omit<Job, 'state' | 'transaction'>, { isPayout }: { isPayout: boolean }): void {
    this.#sql.exec('DELETE FROM sends WHERE reference = ?', job.reference);
    if (isPayout) {
      this.#sql.exec(
        `DELETE FROM jobs WHERE is_payout = 1 AND substr(reference, ${NONCE_AT}) = ?`,
        job.transfer.authorization.nonce,
      );
    }
    this.#sql.exec(
      `INSERT OR REPLACE INTO jobs (reference, transfer, call_to, call_data, gas, nonce, state, transaction_hash, created_at, is_payout)
        VALUES (?, ?, ?, ?, ?, ?, 'open', NULL, ?, ?)`,
      job.reference,
      serialiseTransfer(job.transfer),
      job.call.to,
      job.call.data,
      String(job.gas),
      job.nonce,
      job.createdAt,
      isPayout ? 1 : 0,
    );
  }

  /** Another transaction used the nonce, so the job gets a new one and is sent again. */
  renumber(reference: string, nonce: number): void {
    this.#sql.exec('DELETE FROM sends WHERE reference = ?', reference);
    this.#sql.exec("UPDATE jobs SET nonce = ?, state = 'open' WHERE reference = ?", nonce, reference);
  }

  sends(reference: string): Send[] {
    const rows = this.#sql.exec<SendRow>(
      'SELECT * FROM sends WHERE reference = ? ORDER BY sent_at, length(max_fee), max_fee',
      reference,
    );
    return [...rows].map(sendOf);
  }

  /** Call it before sending: a crash in between must not leave a transaction unrecorded. */
  addSend(reference: string, { hash, raw, fees, sentAt }: Send): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO sends (hash, reference, raw, max_fee, priority_fee, sent_at) VALUES (?, ?, ?, ?, ?, ?)',
      hash,
      reference,
      raw,
      String(fees.maxFeePerGas),
      String(fees.maxPriorityFeePerGas),
      sentAt,
    );
    this.#sql.exec('UPDATE jobs SET transaction_hash = ? WHERE reference = ?', hash, reference);
  }

  mark(job: Job, state: JobState, transaction: Hex | null, now: number): void {
    this.#sql.exec(
      'UPDATE jobs SET state = ?, transaction_hash = ? WHERE reference = ?',
      state,
      transaction ?? job.transaction,
      job.reference,
    );
    if (state !== 'done' && state !== 'failed') return;
    this.#sql.exec('DELETE FROM sends WHERE reference = ?', job.reference);
    this.#sql.exec(
      `INSERT INTO account (id, highest_final, recorded_at) VALUES (1, ?, ?)
        ON CONFLICT (id) DO UPDATE SET highest_final = excluded.highest_final, recorded_at = excluded.recorded_at`,
      job.nonce,
      now,
    );
  }

  /** What a transaction cost, once it is final: recorded once. */
  addCost(transaction: Hex, wei: bigint): void {
    const sql = 'INSERT OR IGNORE INTO gas_costs (transaction_hash, wei) VALUES (?, ?)';
    this.#sql.exec(sql, transaction, String(wei));
  }

  costsAfter(id: number): GasCost[] {
    const rows = this.#sql.exec<{ id: number; transaction_hash: string; wei: string }>(
      'SELECT id, transaction_hash, wei FROM gas_costs WHERE id > ? ORDER BY id LIMIT 50',
      id,
    );
    return [...rows].map((row) => ({
      id: row.id,
      transaction: row.transaction_hash as Hex,
      wei: BigInt(row.wei),
    }));
  }

  forgetOld(now: number): void {
    this.#sql.exec(
      "DELETE FROM jobs WHERE is_payout = 0 AND created_at < ? AND state IN ('done', 'failed')",
      now - RETENTION_MS,
    );
  }
}

/** SQLite's integers are too small for token units, so bigints are stored as text. */
function serialiseTransfer(transfer: SignedTransfer): string {
  return JSON.stringify(transfer, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function parseTransfer(text: string): SignedTransfer {
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  );
}

function jobOf(row: JobRow): Job {
  return {
    reference: row.reference,
    transfer: parseTransfer(row.transfer),
    call: { to: row.call_to as Hex, data: row.call_data as Hex },
    gas: BigInt(row.gas),
    nonce: row.nonce,
    state: row.state as JobState,
    transaction: row.transaction_hash as Hex | null,
    createdAt: row.created_at,
  };
}

function sendOf(row: SendRow): Send {
  const fees = { maxFeePerGas: BigInt(row.max_fee), maxPriorityFeePerGas: BigInt(row.priority_fee) };
  return { hash: row.hash as Hex, raw: row.raw as Hex, fees, sentAt: row.sent_at };
}
