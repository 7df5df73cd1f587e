import { z } from 'zod';

/** The form in which every signed statement is shown. */
export function signedStatementOf<S extends z.ZodType>(statement: S) {
  return z.object({
    alg: z.literal('ed25519'),
    digest: z.string().describe('sha256:<hex> over the RFC 8785 form of `statement`.'),
    keyId: z.string(),
    signature: z.string().describe('base64url, unpadded, over <keyId>.<signedAt>.<digest>.'),
    signedAt: z.iso.datetime(),
    statement,
    verify: z.string(),
  });
}
