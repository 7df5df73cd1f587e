import { z } from 'zod';
import { canonicalDigest, type Digest } from '../kernel/crypto/digest.ts';
import type { Json } from '../kernel/json/json.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { checkReceipt, receiptCheckFields } from './check-receipt.ts';
import { findFollowingStatement } from './following-statements.store.ts';

// Loose: receipts and signed statements are sent as they were received, with all their members.
const receipt = z
  .looseObject({
    digest: z.string().max(100).describe('`sha256:<hex>`.'),
    keyId: z.string().max(128),
    signature: z.string().max(200).describe('base64url, unpadded.'),
    signedAt: z.string().max(40).describe('In receipts of the ingress door: their `issuedAt`.'),
  })
  .describe('As it was received; further members are ignored.');

/** Clause: POST /verify-receipt. 200 whether the receipt is good or not; 400 only if it is malformed. */
export const verifyReceipt = defineOperation({
  name: 'verifyReceipt',
  summary: 'Check a receipt or signed statement; with its payload, check the digest too.',
  area: 'Provenance',
  auth: 'none',
  input: z.object({
    receipt,
    payload: z
      .custom<Json>((value) => value !== undefined)
      .optional()
      .describe('The response body without `provenance`, or the `statement` of a signed statement.'),
  }),
  opaqueFields: ['receipt', 'payload'],
  output: z.object({
    digestValid: z.boolean().nullable().describe('null when no payload was sent.'),
    followedBy: z
      .string()
      .nullable()
      .describe('Of a purchase receipt: the digest of the `purchase_redelivery` that adds to it; else null.'),
    ...receiptCheckFields,
    receiptDigest: z
      .string()
      .describe(
        'sha256:<hex> over the RFC 8785 form of `{digest, keyId, signature, signedAt}`: what this answer is about.',
      ),
  }),
  errors: [],
  // Whatever was signed here can be sent here.
  http: { method: 'post', path: '/verify-receipt', status: 200, repeatsOwnJson: true },
  rate: 'read',
  async handle({ ports }, { receipt, payload }) {
    const { keyId, signature, signedAt } = receipt;
    const digest = receipt.digest as Digest;
    const fields = { digest, keyId, signature, signedAt };
    const { digestValid, signatureValid, valid, reason, keyStatus } = await checkReceipt(
      ports,
      fields,
      payload,
    );
    // Without it, this signed answer could be shown as one about another receipt of the same key and time.
    const receiptDigest = await canonicalDigest(fields);
    // Only who holds the receipt is told.
    const followedBy = signatureValid ? await findFollowingStatement(ports.market, digest) : null;
    return {
      digestValid,
      followedBy,
      keyId,
      keyStatus,
      reason,
      receiptDigest,
      signatureValid,
      signedAt,
      valid,
    };
  },
});
