import { and, count, desc, eq, gt, isNotNull, isNull, lte, notExists, type SQL, sql } from 'drizzle-orm';
import { build, isOneOf } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import { insertInto } from '../db/statement.ts';
import { healthConsents } from '../db/tables/health.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { clearConsentMarks } from '../listings/index.ts';
import type { ConsentRecord, HealthAttestation } from './health.schema.ts';
import type { SignedConsent } from './sign-consent.ts';

/** A consent with the listing that rests on it. What was erased is null. */
export interface ConsentOnRecord {
  readonly sellerId: string;
  readonly fingerprint: string;
  readonly record: ConsentRecord | null;
  readonly signerLegalName: string | null;
  readonly signerSalt: string | null;
  readonly retainUntil: IsoTime;
  readonly erasedAt: IsoTime | null;
}

export function insertConsent({ record, signerLegalName, signerSalt }: SignedConsent): Statement {
  const { listingId, signedAt, retainUntil } = record.statement;
  return insertInto(healthConsents, {
    listingId,
    record,
    signerLegalName,
    signerSalt,
    signedAt,
    retainUntil,
    erasedAt: null,
  });
}

const consentOf = query((p: Params<{ listingId: string }>) =>
  build
    .select({
      sellerId: listings.sellerId,
      fingerprint: listings.fingerprint,
      record: healthConsents.record,
      signerLegalName: healthConsents.signerLegalName,
      signerSalt: healthConsents.signerSalt,
      retainUntil: healthConsents.retainUntil,
      erasedAt: healthConsents.erasedAt,
    })
    .from(healthConsents)
    .innerJoin(listings, eq(listings.id, healthConsents.listingId))
    .where(eq(healthConsents.listingId, p.listingId)),
);

export async function findConsent(market: Database, listingId: string): Promise<ConsentOnRecord | null> {
  const row = await consentOf.first(market, { listingId });
  return row && { ...row, record: row.record as ConsentRecord | null };
}

const isDelivered = and(isNotNull(purchases.healthAttestation), isNotNull(purchases.contentDigest));

const delivered = query((p: Params<{ listingId: string }>) =>
  build
    .select({ total: count() })
    .from(purchases)
    .where(and(eq(purchases.listingId, p.listingId), isDelivered)),
);

const attestations = query((p: Params<{ listingId: string; limit: number; offset: number }>) =>
  build
    .select({ attestation: purchases.healthAttestation })
    .from(purchases)
    .where(and(eq(purchases.listingId, p.listingId), isDelivered))
    .orderBy(desc(purchases.createdAt), desc(purchases.id))
    .limit(p.limit)
    .offset(p.offset),
);

/** What buyers of a listing declared, newest first: of buyers who received it. */
export async function readAttestations(
  market: Database,
  listingId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ attestations: HealthAttestation[]; total: number }> {
  const [counted, rows] = await Promise.all([
    delivered.first(market, { listingId }),
    attestations.all(market, { listingId, ...page }),
  ]);
  return {
    attestations: rows.map(({ attestation }) => attestation as HealthAttestation),
    total: counted?.total ?? 0,
  };
}

type Due = Params<{ now: IsoTime; soldSince: IsoTime }>;

/** Its retention is over, its listing is inactive, and no sale is so recent that it must still be answered for. */
function isErasable(p: Due): SQL | undefined {
  const listingStatus = build
    .select({ status: listings.status })
    .from(listings)
    .where(eq(listings.id, healthConsents.listingId));
  const recentSales = build
    .select({ listingId: purchases.listingId })
    .from(purchases)
    .where(and(eq(purchases.listingId, healthConsents.listingId), gt(purchases.createdAt, p.soldSince)));
  return and(
    isNull(healthConsents.erasedAt),
    lte(healthConsents.retainUntil, p.now),
    sql`${listingStatus} = 'inactive'`,
    notExists(recentSales),
  );
}

const erasable = query((p: Params<{ now: IsoTime; soldSince: IsoTime; limit: number }>) =>
  build
    .select({ listingId: healthConsents.listingId })
    .from(healthConsents)
    .where(isErasable(p))
    .limit(p.limit),
);

const erase = write((p: Params<{ ids: readonly string[]; now: IsoTime; soldSince: IsoTime }>) =>
  build
    .update(healthConsents)
    .set({ record: null, signerLegalName: null, signerSalt: null, erasedAt: p.now })
    .where(and(isOneOf(healthConsents.listingId, p.ids), isErasable(p))),
);

export async function listErasable(
  market: Database,
  now: IsoTime,
  soldSince: IsoTime,
  limit: number,
): Promise<string[]> {
  const rows = await erasable.all(market, { now, soldSince, limit });
  return rows.map(({ listingId }) => listingId);
}

/** Erases consents that may still be erased, and takes the mark of a verified consent off their listings. */
export function eraseConsents(ids: readonly string[], now: IsoTime, soldSince: IsoTime): Statement[] {
  return [erase({ ids, now, soldSince }), clearConsentMarks(ids)];
}
