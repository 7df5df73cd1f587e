import { sql } from 'drizzle-orm';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { signingKeys } from '../db/tables/provenance.ts';
import { fromBase64Url, toBase64Url } from '../kernel/crypto/encoding.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { PublicKey } from '../kernel/ports/signer.ts';
import type { IsoTime } from '../kernel/time.ts';

/** A public key as it was published, with the time it signed in. */
export interface PublishedKey extends PublicKey {
  readonly validFrom: IsoTime;
  readonly retiredAt: IsoTime | null;
}

interface Row {
  keyId: string;
  publicKey: string;
  validFrom: IsoTime;
  retiredAt: IsoTime | null;
}

/** What a key signs: every answer, or the receipts of the ingress door. */
export type KeyPurpose = 'provenance' | 'ingress';

const allKeys = prepared<{
  purpose: KeyPurpose;
}>(sql`SELECT key_id AS keyId, public_key AS publicKey, valid_from AS validFrom,
  retired_at AS retiredAt FROM ${signingKeys} WHERE purpose = ${sql.placeholder('purpose')} ORDER BY valid_from DESC`);

/** Every key that ever signed for the purpose, newest first. */
export async function listPublishedKeys(
  db: Database,
  purpose: KeyPurpose = 'provenance',
): Promise<PublishedKey[]> {
  const rows = await db.all<Row>(allKeys({ purpose }));
  return rows.map(({ publicKey, ...row }) => ({ ...row, raw: fromBase64Url(publicKey) ?? new Uint8Array() }));
}

/** Publishes the key that signs now, and retires whichever did before. Repeating it changes nothing. */
export async function publishActiveKey(
  db: Database,
  key: PublicKey,
  at: IsoTime,
  purpose: KeyPurpose = 'provenance',
): Promise<void> {
  const row = { keyId: key.keyId, purpose, publicKey: toBase64Url(key.raw), validFrom: at };
  await db.commit([
    statement(sql`UPDATE ${signingKeys} SET retired_at = ${at}
      WHERE purpose = ${purpose} AND key_id <> ${key.keyId} AND retired_at IS NULL`),
    insertInto(signingKeys, row, sql`ON CONFLICT (key_id) DO UPDATE SET retired_at = NULL`),
  ]);
}
