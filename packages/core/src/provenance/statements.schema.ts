import * as z from 'zod';

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

/** Of receipts, which the transparency log shows the digests of. Those of before the log lack both. */
export const logBy = z.iso.datetime().describe('By then the receipt is in the transparency log.');
export const receiptSalt = z
  .string()
  .describe('Random, so that nobody finds by trying what a digest in the log is of.');
