import { DurableObject } from 'cloudflare:workers';
import type { ClaimAnswer, ClaimRequest } from '../../kernel/ports/payment-claims.ts';
import { decideClaim, type PaymentClaim } from './payment-claim.rules.ts';

/** A mapped type: `sql.exec` does not accept an interface. */
type Row = { [Field in keyof PaymentClaim]: PaymentClaim[Field] };

/**
 * One object per payer and nonce, so that requests with the same payment meet wherever they arrive. Calls are
 * synchronous and do not interleave. The alarm deletes the expired claim.
 */
export class PaymentClaimsObject extends DurableObject {
  take(request: ClaimRequest): ClaimAnswer {
    const { sql } = this.ctx.storage;
    sql.exec(`CREATE TABLE IF NOT EXISTS claim (
        id INTEGER PRIMARY KEY CHECK (id = 1), binding TEXT NOT NULL, holder TEXT,
        until INTEGER NOT NULL, keptUntil INTEGER NOT NULL
      ) STRICT`);
    const [known] = sql.exec<Row>('SELECT binding, holder, until, keptUntil FROM claim');
    const { answer, claim } = decideClaim(known ?? null, request);
    if (claim !== null) {
      sql.exec(
        'INSERT OR REPLACE INTO claim (id, binding, holder, until, keptUntil) VALUES (1, ?, ?, ?, ?)',
        claim.binding,
        claim.holder,
        claim.until,
        claim.keptUntil,
      );
      // A late alarm loses nothing: `decideClaim` checks the time itself.
      void this.ctx.storage.setAlarm(Date.now() + claim.keptUntil - request.now);
    }
    return answer;
  }

  /** Only the holder can release it. `isFree`: the payment may be used for another purchase. */
  async drop(holder: string, isFree: boolean): Promise<void> {
    const { sql } = this.ctx.storage;
    const [held] = sql.exec('SELECT 1 FROM claim WHERE holder = ?', holder);
    if (held === undefined) return;
    if (isFree) await this.#forget();
    else sql.exec('UPDATE claim SET holder = NULL');
  }

  override async alarm(): Promise<void> {
    await this.#forget();
  }

  async #forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }
}
