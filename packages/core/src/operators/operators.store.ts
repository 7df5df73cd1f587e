import { and, asc, eq, isNull, notExists, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isConflict, isGuard } from '../db/constraint.ts';
import { abortWhere, guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { operators } from '../db/tables/operator-actions.ts';
import {
  DEPLOYMENT_OPERATOR,
  type Operator,
  type OperatorRole,
} from '../kernel/operation/operators/operator.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

const LIVE = 'operator_live';
const LAST_ADMIN = 'last_admin';

const SHOWN = {
  createdAt: operators.createdAt,
  createdBy: operators.createdBy,
  id: operators.id,
  name: operators.name,
  revokedAt: operators.revokedAt,
  role: operators.role,
  secretSetAt: operators.secretSetAt,
  secretSetBy: operators.secretSetBy,
};

const bySecret = query((p: Params<{ hash: string }>) =>
  build
    .select({ id: operators.id, name: operators.name, role: operators.role })
    .from(operators)
    .where(and(eq(operators.secretHash, p.hash), isNull(operators.revokedAt))),
);
const all = query(() => build.select(SHOWN).from(operators).orderBy(asc(operators.createdAt), operators.id));
const byId = query((p: Params<{ id: string }>) =>
  build.select(SHOWN).from(operators).where(eq(operators.id, p.id)),
);

/** The operator whose secret has this SHA-256; null: none, or it was revoked. */
export const findOperator = (db: Database, hash: string): Promise<Operator | null> =>
  bySecret.first(db, { hash });

/** Those that were revoked too, in the order they were made. */
export const readOperators = (db: Database) => all.all(db);
export const readOperator = (db: Database, id: string) => byId.first(db, { id });

export const insertOperator = (row: typeof operators.$inferInsert): Statement => insertInto(operators, row);

const secretOf = write((p: Params<{ id: string; hash: string; at: string; by: string }>) =>
  build
    .update(operators)
    .set({ secretHash: sql`${p.hash}`, secretSetAt: sql`${p.at}`, secretSetBy: sql`${p.by}` })
    .where(isLive(p.id)),
);
const roleOf = write((p: Params<{ id: string; role: string }>) =>
  build
    .update(operators)
    .set({ role: sql`${p.role}` })
    .where(isLive(p.id)),
);
const revocationOf = write((p: Params<{ id: string; at: string }>) =>
  build
    .update(operators)
    .set({ revokedAt: sql`${p.at}` })
    .where(isLive(p.id)),
);
const guardLastAdmin = write(() =>
  abortWhere(
    LAST_ADMIN,
    notExists(
      build
        .select({ id: operators.id })
        .from(operators)
        .where(and(eq(operators.role, 'admin'), isNull(operators.revokedAt))),
    ),
  ),
);

export const setSecret = (id: string, hash: string, at: IsoTime, by: Operator): Statement[] => [
  secretOf({ id, hash, at, by: by.id }),
  guardOneChange(LIVE),
];
export const setRole = (id: string, role: OperatorRole, by: Operator): Statement[] => [
  roleOf({ id, role }),
  ...afterChange(by),
];
export const revoke = (id: string, at: IsoTime, by: Operator): Statement[] => [
  revocationOf({ id, at }),
  ...afterChange(by),
];

/** Somebody who can make operators is left, unless the deployment's own secret is what changed it. */
function afterChange(by: Operator): Statement[] {
  return [guardOneChange(LIVE), ...(by.id === DEPLOYMENT_OPERATOR.id ? [] : [guardLastAdmin()])];
}

function isLive(id: Params<{ id: string }>['id']) {
  return and(eq(operators.id, id), isNull(operators.revokedAt));
}

export const isNameTaken = (error: unknown): boolean => isConflict(error, operators.name);
export const isRevoked = (error: unknown): boolean => isGuard(error, LIVE);
export const isLastAdmin = (error: unknown): boolean => isGuard(error, LAST_ADMIN);
