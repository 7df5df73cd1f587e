import { fromBase64Url, toBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { PublicKey, PublishedKey } from '@agent-marketplace/protocol/crypto/signer.ts';
import { and, desc, eq, isNull, ne } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import { signingKeys } from '../db/tables/provenance.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

/** What a key signs: every answer, or the receipts of the ingress door. */
export type KeyPurpose = 'provenance' | 'ingress';

const keysOf = query((p: Params<{ purpose: KeyPurpose }>) =>
  build
    .select({
      keyId: signingKeys.keyId,
      publicKey: signingKeys.publicKey,
      validFrom: signingKeys.validFrom,
      retiredAt: signingKeys.retiredAt,
    })
    .from(signingKeys)
    .where(eq(signingKeys.purpose, p.purpose))
    .orderBy(desc(signingKeys.validFrom)),
);

/** Every key that ever signed for the purpose, newest first. */
export async function listPublishedKeys(
  db: Database,
  purpose: KeyPurpose = 'provenance',
): Promise<PublishedKey[]> {
  const rows = await keysOf.all(db, { purpose });
  return rows.map(({ publicKey, ...row }) => ({ ...row, raw: fromBase64Url(publicKey) ?? new Uint8Array() }));
}

const keyById = query((p: Params<{ keyId: string }>) =>
  build
    .select({
      publicKey: signingKeys.publicKey,
      purpose: signingKeys.purpose,
      retiredAt: signingKeys.retiredAt,
    })
    .from(signingKeys)
    .where(eq(signingKeys.keyId, p.keyId)),
);

/** A key that signs or signed here, for whatever purpose: one row, however many keys there were. */
export async function findPublishedKey(
  db: Database,
  keyId: string,
): Promise<(Pick<PublishedKey, 'raw' | 'retiredAt'> & { readonly purpose: KeyPurpose }) | null> {
  const row = await keyById.first(db, { keyId });
  if (row === null) return null;
  const { publicKey, purpose, retiredAt } = row;
  return { raw: fromBase64Url(publicKey) ?? new Uint8Array(), purpose, retiredAt };
}

const retireOthers = write((p: Params<{ keyId: string; purpose: KeyPurpose; at: IsoTime }>) =>
  build
    .update(signingKeys)
    .set({ retiredAt: p.at })
    .where(
      and(eq(signingKeys.purpose, p.purpose), ne(signingKeys.keyId, p.keyId), isNull(signingKeys.retiredAt)),
    ),
);

const publish = write(
  (p: Params<{ keyId: string; purpose: KeyPurpose; publicKey: string; validFrom: IsoTime }>) =>
    build
      .insert(signingKeys)
      .values({ keyId: p.keyId, purpose: p.purpose, publicKey: p.publicKey, validFrom: p.validFrom })
      .onConflictDoUpdate({
        target: signingKeys.keyId,
        set: { retiredAt: null },
        // The door names its own key: it must not bring back one that the platform retired.
        setWhere: eq(signingKeys.purpose, p.purpose),
      }),
);

/** Publishes the key that signs now, and retires whichever did before. Repeating it changes nothing. */
export async function publishActiveKey(
  db: Database,
  { keyId, raw }: PublicKey,
  at: IsoTime,
  purpose: KeyPurpose = 'provenance',
): Promise<void> {
  await db.commit([
    retireOthers({ keyId, purpose, at }),
    publish({ keyId, purpose, publicKey: toBase64Url(raw), validFrom: at }),
  ]);
}
