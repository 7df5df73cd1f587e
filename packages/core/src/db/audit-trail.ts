import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  type ActionTexts,
  type AuditTrail,
  actionStatement,
  type OperatorAction,
} from '../kernel/operation/audit-trail.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
import { auditedState } from './audited-state.ts';
import { build } from './build.ts';
import { isGuard } from './constraint.ts';
import { insertInto } from './insert-into.ts';
import { query } from './query.ts';
import { auditTexts, operatorActions } from './tables/operator-actions.ts';

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
  async function entryAfterHead(action: OperatorAction, at: IsoTime): Promise<Statement[]> {
    const { after, reason = null, subject } = action;
    const [last, before] = await Promise.all([
      head.first(market),
      after === null ? null : auditedState(market, subject),
    ]);
    const previousDigest = last?.digest ?? null;
    const sequence = (last?.sequence ?? 0) + 1;
    const salt = toHex(ids.randomBytes(16));
    const texts: ActionTexts = {
      reason,
      before,
      after: after && (JSON.parse(JSON.stringify(after)) as JsonObject),
    };
    const statement = await actionStatement(action, { salt, texts }, { at, previousDigest, sequence });
    const { digest, keyId, signature } = await signer.signDigest(await canonicalDigest(statement), at);
    return [
      insertInto(operatorActions, { sequence, previousDigest, digest, keyId, signature, statement }),
      insertInto(auditTexts, { sequence, salt, texts }),
    ];
  }
  return {
    async commit(action, statements, at) {
      for (let tries = 1; ; tries += 1) {
        try {
          // The entry comes first: an operator may end its own role.
          const entry = await entryAfterHead(action, at);
          return (await market.commit([...entry, ...statements])).slice(entry.length);
        } catch (error) {
          // Another action came first, and nothing was written: sign an entry that follows it.
          if (tries === TRIES || !isGuard(error, 'operator_actions_head')) throw error;
        }
      }
    },
  };
}

/** Whether a row of `audit_texts` is of an entry about one of these subjects. */
export const isAuditedOf = (type: string, ids: SQL): SQL =>
  sql`sequence IN (SELECT sequence FROM ${operatorActions} WHERE subject_type = ${type} AND subject_id IN (${ids}))`;

/**
 * Deletes the texts and salts of all entries about these subjects: why, what was before and what after. The entries stay,
 * with digests that nobody can find a text for, and the chain stays valid.
 */
export const eraseAuditTexts = (type: string, ids: SQL): SQLWrapper =>
  build.delete(auditTexts).where(isAuditedOf(type, ids));
