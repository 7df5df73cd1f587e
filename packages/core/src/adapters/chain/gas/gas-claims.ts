import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { GAS_WINDOW_MS, type GasAtRisk } from './gas-budget.rules.ts';

/**
 * `open`: its transaction may still revert. `reverted`: it did, by the payer's doing. `wasted`: it did, because
 * somebody else had made the same transfer.
 */
type ClaimEnd = 'reverted' | 'wasted' | 'nothing_lost';

export interface GasClaim {
  readonly reference: string;
  readonly payer: Hex;
  /** The network that the payment came from, as a keyed hash. */
  readonly network: string;
  readonly gas: bigint;
}

/** The gas that payers' transfers have cost without effect, or still may: written before each is sent. */
export class GasClaims {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS gas_claims (
        id INTEGER PRIMARY KEY, reference TEXT NOT NULL, payer TEXT NOT NULL, network TEXT NOT NULL,
        gas INTEGER NOT NULL, state TEXT NOT NULL, claimed_at INTEGER NOT NULL,
        CHECK (state IN ('open', 'reverted', 'wasted'))
      ) STRICT;
      CREATE INDEX IF NOT EXISTS gas_claims_reference ON gas_claims (reference);
      CREATE INDEX IF NOT EXISTS gas_claims_payer ON gas_claims (payer, claimed_at);
      CREATE INDEX IF NOT EXISTS gas_claims_network ON gas_claims (network, claimed_at);
      CREATE INDEX IF NOT EXISTS gas_claims_age ON gas_claims (claimed_at);`);
  }

  add({ reference, payer, network, gas }: GasClaim, now: number): void {
    this.#sql.exec(
      `INSERT INTO gas_claims (reference, payer, network, gas, state, claimed_at) VALUES (?, ?, ?, ?, 'open', ?)`,
      reference,
      payer,
      network,
      Number(gas),
      now,
    );
  }

  /**
   * Ends the open claim of a transfer; ending it again changes nothing. What was lost counts from now on: the gas that
   * its receipt names, and all that was claimed where it names none.
   */
  end(reference: string, state: ClaimEnd, now: number, gasUsed: bigint | null = null): void {
    if (state === 'nothing_lost') {
      this.#sql.exec("DELETE FROM gas_claims WHERE reference = ? AND state = 'open'", reference);
      return;
    }
    this.#sql.exec(
      "UPDATE gas_claims SET state = ?, claimed_at = ?, gas = min(gas, coalesce(?, gas)) WHERE reference = ? AND state = 'open'",
      state,
      now,
      gasUsed === null ? null : Number(gasUsed),
      reference,
    );
  }

  atRisk({ payer, network }: Pick<GasClaim, 'payer' | 'network'>, now: number): GasAtRisk {
    const since = now - GAS_WINDOW_MS;
    return {
      ofPayer: this.#sum('payer = ? AND', since, payer),
      ofNetwork: this.#sum('network = ? AND', since, network),
      inAll: this.#sum('', since),
    };
  }

  hasOpen(payer: Hex): boolean {
    const sql = "SELECT 1 FROM gas_claims WHERE payer = ? AND state = 'open' LIMIT 1";
    return [...this.#sql.exec(sql, payer)].length > 0;
  }

  /** Until when a payer whose transfer reverted is refused; null: it is not. */
  refusedUntil(payer: Hex, now: number): number | null {
    const [row] = this.#sql.exec<{ at: number | null }>(
      "SELECT max(claimed_at) AS at FROM gas_claims WHERE payer = ? AND state = 'reverted' AND claimed_at > ?",
      payer,
      now - GAS_WINDOW_MS,
    );
    return row?.at == null ? null : row.at + GAS_WINDOW_MS;
  }

  forgetOld(now: number): void {
    this.#sql.exec("DELETE FROM gas_claims WHERE claimed_at <= ? AND state <> 'open'", now - GAS_WINDOW_MS);
  }

  #sum(where: string, since: number, ...of: string[]): bigint {
    const sql = `SELECT coalesce(sum(gas), 0) AS gas FROM gas_claims WHERE ${where} (claimed_at > ? OR state = 'open')`;
    const [row] = this.#sql.exec<{ gas: number }>(sql, ...of, since);
    return BigInt(row?.gas ?? 0);
  }
}
