import { and, eq, gt, isNull, notExists } from 'drizzle-orm';
import { asBoolean, build, isOneOf } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import { agents, sellers } from '../db/tables/agents.ts';
import { payoutWallets } from '../db/tables/payouts.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

const claimExpiry = query((p: Params<{ sellerId: string }>) =>
  build.select({ expiresAt: sellers.claimExpiresAt }).from(sellers).where(eq(sellers.agentId, p.sellerId)),
);

const payoutsConnected = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ isConnected: asBoolean(eq(sellers.payouts, 'connected')) })
    .from(sellers)
    .where(eq(sellers.agentId, p.sellerId)),
);

const setExpiry = write((p: Params<{ sellerId: string; expiresAt: IsoTime }>) =>
  build.update(sellers).set({ claimExpiresAt: p.expiresAt }).where(eq(sellers.agentId, p.sellerId)),
);

const endLinks = write((p: Params<{ sellerIds: readonly string[]; at: IsoTime }>) =>
  build
    .update(sellers)
    .set({ claimExpiresAt: p.at })
    .where(and(isOneOf(sellers.agentId, p.sellerIds), gt(sellers.claimExpiresAt, p.at))),
);

const setCountry = write((p: Params<{ sellerId: string; country: string }>) =>
  build
    .update(sellers)
    .set({ country: p.country })
    .where(and(eq(sellers.agentId, p.sellerId), eq(sellers.payouts, 'not_connected'))),
);

const setMissingEmail = write((p: Params<{ agentId: string; email: string }>) =>
  build
    .update(agents)
    .set({ email: p.email })
    .where(and(eq(agents.id, p.agentId), isNull(agents.email))),
);

const setConnected = write((p: Params<{ sellerId: string }>) =>
  build.update(sellers).set({ payouts: 'connected' }).where(eq(sellers.agentId, p.sellerId)),
);

const setDisconnected = write((p: Params<{ sellerId: string }>) => {
  const wallet = build
    .select({ sellerId: payoutWallets.sellerId })
    .from(payoutWallets)
    .where(eq(payoutWallets.sellerId, p.sellerId));
  return build
    .update(sellers)
    .set({ payouts: 'not_connected' })
    .where(and(eq(sellers.agentId, p.sellerId), notExists(wallet)));
});

/** When the seller's claim link expires; null if there is none. */
export async function readClaimExpiry(db: Database, sellerId: string): Promise<IsoTime | null> {
  return (await claimExpiry.first(db, { sellerId }))?.expiresAt ?? null;
}

/** False also for an agent that is no seller yet. */
export async function arePayoutsConnected(db: Database, sellerId: string): Promise<boolean> {
  return (await payoutsConnected.first(db, { sellerId }))?.isConnected ?? false;
}

export function setClaimExpiry(sellerId: string, expiresAt: IsoTime): Statement {
  return setExpiry({ sellerId, expiresAt });
}

/** Makes every claim link that these sellers have shown to anybody dead. The next one is new. */
export function revokeClaimLinks(sellerIds: readonly string[], at: IsoTime): Statement {
  return endLinks({ sellerIds, at });
}

/** A seller may correct its country until payouts are connected, which fixes it. */
export function setSellerCountry(sellerId: string, country: string): Statement {
  return setCountry({ sellerId, country });
}

/** A seller that can be paid may sell for money. */
export function connectPayouts(sellerId: string): Statement {
  return setConnected({ sellerId });
}

/** A seller whose account is gone connects payouts anew, unless it has a wallet. What is live stays so. */
export function disconnectPayouts(sellerId: string): Statement {
  return setDisconnected({ sellerId });
}

/** Keeps an e-mail address for an agent that has none. An address given before stays. */
export function addMissingEmail(agentId: string, email: string): Statement {
  return setMissingEmail({ agentId, email });
}
