import { toBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { PublicKey, PublishedKey } from '@agent-marketplace/protocol/crypto/signer.ts';
import * as z from 'zod';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { pemOfPublicKey } from './public-key.rules.ts';

const key = z
  .object({
    keyId: z.string(),
    publicKeyPem: z.string(),
    publicKeyRaw: z.string(),
    retiredAt: z.iso.datetime().nullable(),
    status: z.enum(['active', 'retired']),
    validFrom: z.iso.datetime(),
  })
  .meta({ id: 'SigningKey' });

/** The public keys of one purpose, for whoever checks signatures. */
export const keyDocumentView = z
  .object({
    algorithm: z.literal('Ed25519'),
    howToVerify: z.array(z.string()),
    keyId: z.string(),
    keys: z.array(key).describe('All keys, the active one first: receipts outlive rotations.'),
    publicKeyPem: z.string().describe('SPKI, PEM.'),
    publicKeyRaw: z.string().describe('The raw 32-byte key, base64url without padding.'),
  })
  .meta({ id: 'KeyDocument' });

/** Lists the active key first, even before it was published. */
export function keyDocument(
  active: PublicKey,
  published: readonly PublishedKey[],
  howToVerify: string[],
  now: EpochMs,
) {
  const { keyId, raw } = active;
  const activeRow = published.find((one) => one.keyId === keyId);
  const retired = published.filter((one) => one.keyId !== keyId);
  const all = [{ keyId, raw, retiredAt: null, validFrom: activeRow?.validFrom ?? isoTime(now) }, ...retired];
  return {
    algorithm: 'Ed25519' as const,
    howToVerify,
    keyId,
    keys: all.map((one, index) => ({
      keyId: one.keyId,
      publicKeyPem: pemOfPublicKey(one.raw),
      publicKeyRaw: toBase64Url(one.raw),
      retiredAt: one.retiredAt,
      status: index === 0 ? ('active' as const) : ('retired' as const),
      validFrom: one.validFrom,
    })),
    publicKeyPem: pemOfPublicKey(raw),
    publicKeyRaw: toBase64Url(raw),
  };
}
