import { desc } from 'drizzle-orm';
import { canonicalDigest } from '../kernel/crypto/digest.ts';
import { toHex } from '../kernel/crypto/encoding.ts';
import { type AuditTrail, actionStatement, type OperatorAction } from '../kernel/operation/audit-trail.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
import { build } from './build.ts';
import { isGuard } from './constraint.ts';
import { insertInto } from './insert-into.ts';
import { query } from './query.ts';
import { operatorActions } from './tables/operator-actions.ts';

const head = query(() =>
  build
    .select({ sequence: operatorActions.sequence, digest: operatorActions.digest })
    .from(operatorActions)
    .orderBy(desc(operatorActions.sequence))
    .limit(1),
);

/** Each try of many at once lets one through. */
const TRIES = 50;

/** The audit chain in the market database, so that an entry commits with what it is about. */
export function createAuditTrail({
  market,
  signer,
  ids,
}: Pick<Ports, 'market' | 'signer' | 'ids'>): AuditTrail {
  async function entryAfterHead(action: OperatorAction, at: IsoTime): Promise<Statement> {
    const last = await head.first(market);
    const previousDigest = last?.digest ?? null;
    const sequence = (last?.sequence ?? 0) + 1;
    const salt = toHex(ids.randomBytes(16));
    const statement = await actionStatement(action, salt, { at, previousDigest, sequence });
    const { digest, keyId, signature } = await signer.signDigest(await canonicalDigest(statement), at);
    const reason = action.reason ?? null;
    const row = { sequence, previousDigest, digest, keyId, signature, statement, reason, salt };
    return insertInto(operatorActions, row);
  }
  return {
    async commit(action, statements, at) {
      for (let tries = 1; ; tries += 1) {
        try {
          // The entry comes first: an operator may end its own role.
          const [, ...rows] = await market.commit([await entryAfterHead(action, at), ...statements]);
          return rows;
        } catch (error) {
          // Another action came first, and nothing was written: sign an entry that follows it.
          if (tries === TRIES || !isGuard(error, 'operator_actions_head')) throw error;
        }
      }
    },
  };
}
