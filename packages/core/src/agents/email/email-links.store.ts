import { and, eq, gt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { asBoolean, build, excluded } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { type Params, query, write } from '../../db/query.ts';
import { emailLinks } from '../../db/tables/agent-keys.ts';
import { agents } from '../../db/tables/agents.ts';
import { personOf } from '../../db/tables/mail.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

export type EmailLink = typeof emailLinks.$inferSelect;

const replaceLink = write((p: Params<EmailLink>) =>
  build
    .insert(emailLinks)
    .values({
      id: p.id,
      agentId: p.agentId,
      address: p.address,
      createdAt: p.createdAt,
      expiresAt: p.expiresAt,
    })
    .onConflictDoUpdate({
      target: emailLinks.agentId,
      set: excluded(emailLinks, 'id', 'address', 'createdAt', 'expiresAt'),
    }),
);

/** An earlier link of the agent opens nothing any more. */
export const setEmailLink = (link: EmailLink): Statement => replaceLink({ ...link });

/** Whether the account has another address than this. */
const isOther = (address: SQLWrapper): SQL =>
  sql`(${agents.email} IS NOT NULL AND lower(${agents.email}) <> lower(${address}))`;

const open = query((p: Params<{ id: string; now: IsoTime }>) =>
  build
    .select({
      id: emailLinks.id,
      agentId: emailLinks.agentId,
      person: sql<string>`${personOf(emailLinks.address)}`,
      isChange: asBoolean(sql`(${agents.emailVerifiedAt} IS NOT NULL AND ${isOther(emailLinks.address)})`),
      isOther: asBoolean(isOther(emailLinks.address)),
    })
    .from(emailLinks)
    .innerJoin(agents, eq(agents.id, emailLinks.agentId))
    .where(and(eq(emailLinks.id, p.id), gt(emailLinks.expiresAt, p.now))),
);

export interface OpenEmailLink {
  readonly id: string;
  readonly agentId: string;
  /** Who reads mail to the address. */
  readonly person: string;
  /** Another address was verified before. A first one is no change, whatever was given at the registration. */
  readonly isChange: boolean;
  /** Another address was given before, verified or not. */
  readonly isOther: boolean;
}

export function findEmailLink(market: Database, id: string, now: IsoTime): Promise<OpenEmailLink | null> {
  return open.first(market, { id, now });
}

const take = write((p: Params<{ id: string; agentId: string; at: IsoTime }>) => {
  const link = build
    .select({ address: emailLinks.address })
    .from(emailLinks)
    .where(and(eq(emailLinks.id, p.id), eq(emailLinks.agentId, agents.id)));
  return build
    .update(agents)
    .set({
      emailChangedAt: sql`CASE WHEN ${agents.emailVerifiedAt} IS NOT NULL AND ${isOther(link)} THEN ${p.at}
        ELSE ${agents.emailChangedAt} END`,
      email: sql`${link}`,
      emailVerifiedAt: p.at,
    })
    .where(and(eq(agents.id, p.agentId), sql`${link} IS NOT NULL`));
});
const removeLink = write((p: Params<{ id: string }>) =>
  build.delete(emailLinks).where(eq(emailLinks.id, p.id)),
);

const LINK_OPEN = 'email_link_open';

/** The address of the link is the agent's from now on, and proven. Aborts if the link was used or replaced. */
export function takeEmailLink(link: Pick<EmailLink, 'id' | 'agentId'>, at: IsoTime): Statement[] {
  const { id, agentId } = link;
  return [take({ id, agentId, at }), guardOneChange(LINK_OPEN), removeLink({ id })];
}

export const isLinkUsed = (error: unknown): boolean => isGuard(error, LINK_OPEN);

const state = query((p: Params<{ agentId: string; now: IsoTime }>) =>
  build
    .select({
      verifiedAt: agents.emailVerifiedAt,
      changedAt: agents.emailChangedAt,
      pendingUntil: emailLinks.expiresAt,
    })
    .from(agents)
    .leftJoin(emailLinks, and(eq(emailLinks.agentId, agents.id), gt(emailLinks.expiresAt, p.now)))
    .where(eq(agents.id, p.agentId)),
);

/** What an agent's record says of its address. */
export async function readEmailState(market: Database, agentId: string, now: IsoTime) {
  const row = await state.first(market, { agentId, now });
  return {
    changedAt: row?.changedAt ?? null,
    isVerified: (row?.verifiedAt ?? null) !== null,
    pendingUntil: row?.pendingUntil ?? null,
  };
}
