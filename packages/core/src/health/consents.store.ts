import { sql } from 'drizzle-orm';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { healthConsents } from '../db/tables/health.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
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
    record: JSON.stringify(record),
    signerLegalName,
    signerSalt,
    signedAt,
    retainUntil,
    erasedAt: null,
  });
}

const consentOf = prepared<{ listingId: string }>(sql`SELECT seller_id AS sellerId, fingerprint, record,
  signer_legal_name AS signerLegalName, signer_salt AS signerSalt, retain_until AS retainUntil, erased_at AS erasedAt
  FROM ${healthConsents} JOIN ${listings} ON id = listing_id WHERE listing_id = ${sql.placeholder('listingId')}`);

export async function findConsent(market: Database, listingId: string): Promise<ConsentOnRecord | null> {
  const row = await market.first<Omit<ConsentOnRecord, 'record'> & { record: string | null }>(
    consentOf({ listingId }),
  );
  return row && { ...row, record: row.record === null ? null : (JSON.parse(row.record) as ConsentRecord) };
}

const SOLD = sql`${purchases} WHERE listing_id = ${sql.placeholder('listingId')}
  AND health_attestation IS NOT NULL AND content_digest IS NOT NULL`;
const sold = prepared<{ listingId: string }>(sql`SELECT COUNT(*) AS total FROM ${SOLD}`);
const attestations = prepared<{
  listingId: string;
  limit: number;
  offset: number;
}>(sql`SELECT health_attestation AS attestation FROM ${SOLD} ORDER BY created_at DESC, id DESC
  LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);

/** What the buyers of a listing declared, newest first: of those to whom it was delivered. */
export async function readAttestations(
  market: Database,
  listingId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ attestations: HealthAttestation[]; total: number }> {
  const [count, rows] = await Promise.all([
    market.first<{ total: number }>(sold({ listingId })),
    market.all<{ attestation: string }>(attestations({ listingId, ...page })),
  ]);
  return {
    attestations: rows.map(({ attestation }) => JSON.parse(attestation) as HealthAttestation),
    total: count?.total ?? 0,
  };
}

/** Its time is over, nothing is sold under it, and nothing was within the time that a sale is answered for. */
const ERASABLE = sql`erased_at IS NULL AND retain_until <= ${sql.placeholder('now')}
  AND (SELECT status FROM ${listings} WHERE id = listing_id) = 'inactive'
  AND NOT EXISTS (SELECT 1 FROM ${purchases} WHERE ${purchases.listingId} = ${healthConsents.listingId}
    AND ${purchases.createdAt} > ${sql.placeholder('soldSince')})`;

const erasable = prepared<{
  now: IsoTime;
  soldSince: IsoTime;
  limit: number;
}>(sql`SELECT listing_id AS listingId
  FROM ${healthConsents} WHERE ${ERASABLE} LIMIT ${sql.placeholder('limit')}`);
const erase = prepared<{ ids: string; now: IsoTime; soldSince: IsoTime }>(sql`UPDATE ${healthConsents}
  SET record = NULL, signer_legal_name = NULL, signer_salt = NULL, erased_at = ${sql.placeholder('now')}
  WHERE listing_id IN (SELECT value FROM json_each(${sql.placeholder('ids')})) AND ${ERASABLE}`);

export async function listErasable(
  market: Database,
  now: IsoTime,
  soldSince: IsoTime,
  limit: number,
): Promise<string[]> {
  const rows = await market.all<{ listingId: string }>(erasable({ now, soldSince, limit }));
  return rows.map(({ listingId }) => listingId);
}

/** Erases what still may be, and takes the mark of a verified consent off its listings. */
export function eraseConsents(ids: readonly string[], now: IsoTime, soldSince: IsoTime): Statement[] {
  const given = JSON.stringify(ids);
  return [
    erase({ ids: given, now, soldSince }),
    statement(sql`UPDATE ${listings} SET health_consent_verified = 0 WHERE id IN (
      SELECT listing_id FROM ${healthConsents} WHERE erased_at IS NOT NULL
        AND listing_id IN (SELECT value FROM json_each(${given})))`),
  ];
}
