import { and, eq, gt, isNull, lte, type Placeholder } from 'drizzle-orm';
import { build, excluded } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { passkeyEnrolments } from '../../db/tables/budgets.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

export type PasskeyEnrolment = Pick<
  typeof passkeyEnrolments.$inferSelect,
  'id' | 'agentId' | 'enrolledBy' | 'expiresAt'
>;

const setChallenge = write((p: Params<Omit<PasskeyEnrolment, 'enrolledBy'>>) =>
  build
    .insert(passkeyEnrolments)
    .values({ id: p.id, agentId: p.agentId, enrolledBy: 'key', expiresAt: p.expiresAt })
    .onConflictDoUpdate({
      target: passkeyEnrolments.agentId,
      targetWhere: eq(passkeyEnrolments.enrolledBy, 'key'),
      set: { ...excluded(passkeyEnrolments, 'id', 'expiresAt'), usedAt: null },
    }),
);

/** A challenge for a key takes the place of the agent's earlier one; each mailed link stands by itself. */
export function insertEnrolment({ enrolledBy, ...enrolment }: PasskeyEnrolment): Statement {
  return enrolledBy === 'key'
    ? setChallenge({ ...enrolment })
    : insertInto(passkeyEnrolments, { ...enrolment, enrolledBy });
}

const isOpenAt = (now: Placeholder<string, IsoTime>) =>
  and(isNull(passkeyEnrolments.usedAt), gt(passkeyEnrolments.expiresAt, now));

const ofLink = query((p: Params<{ id: string; now: IsoTime }>) =>
  build
    .select({
      id: passkeyEnrolments.id,
      agentId: passkeyEnrolments.agentId,
      verifiedAt: agents.emailVerifiedAt,
    })
    .from(passkeyEnrolments)
    .innerJoin(agents, eq(agents.id, passkeyEnrolments.agentId))
    .where(and(eq(passkeyEnrolments.id, p.id), eq(passkeyEnrolments.enrolledBy, 'mail'), isOpenAt(p.now))),
);

export function findMailedEnrolment(market: Database, id: string, now: IsoTime) {
  return ofLink.first(market, { id, now });
}

const ofKey = query((p: Params<{ agentId: string; now: IsoTime }>) =>
  build
    .select({ id: passkeyEnrolments.id })
    .from(passkeyEnrolments)
    .where(
      and(eq(passkeyEnrolments.agentId, p.agentId), eq(passkeyEnrolments.enrolledBy, 'key'), isOpenAt(p.now)),
    ),
);

export async function findKeyEnrolment(market: Database, agentId: string, now: IsoTime) {
  return (await ofKey.first(market, { agentId, now }))?.id ?? null;
}

const use = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(passkeyEnrolments)
    .set({ usedAt: p.at })
    .where(and(eq(passkeyEnrolments.id, p.id), isOpenAt(p.at))),
);

const ENROLMENT_OPEN = 'passkey_enrolment_open';

/** Spends it, in one transaction with the passkey; aborts where it was used, replaced, or its time is over. */
export function useEnrolment(id: string, at: IsoTime): Statement[] {
  return [use({ id, at }), guardOneChange(ENROLMENT_OPEN)];
}

export const isEnrolmentOver = (error: unknown): boolean => isGuard(error, ENROLMENT_OPEN);

const LINK_MAILED = 'passkey_link_mailed';

/** Follows the statement that queues the mail of a link; aborts where its reader was mailed too many. */
export const requireLinkMailed = (): Statement => guardOneChange(LINK_MAILED);
export const isLinkNotMailed = (error: unknown): boolean => isGuard(error, LINK_MAILED);

const deleteOld = write((p: Params<{ until: IsoTime }>) =>
  build.delete(passkeyEnrolments).where(lte(passkeyEnrolments.expiresAt, p.until)),
);

/** What ended by then. */
export function deletePasskeyEnrolments(until: IsoTime): Statement {
  return deleteOld({ until });
}
