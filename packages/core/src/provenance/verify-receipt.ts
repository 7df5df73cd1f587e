import { z } from 'zod';
import type { Digest } from '../kernel/crypto/digest.ts';
import type { Json } from '../kernel/json/json.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { checkReceipt, receiptCheckFields } from './check-receipt.ts';

// Loose: receipts and signed statements are sent as they were received, with all their members.
const receipt = z
  .looseObject({
    digest: z.string().max(100).describe('`sha256:<hex>`.'),
    keyId: z.string().max(128),
    signature: z.string().max(200).describe('base64url, unpadded.'),
    signedAt: z.string().max(40),
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
    ...receiptCheckFields,
  }),
  errors: [],
  // Whatever was signed here can be sent here.
  http: { method: 'post', path: '/verify-receipt', status: 200, repeatsOwnJson: true },
  rate: 'read',
  handle: ({ ports }, { receipt, payload }) =>
    checkReceipt(ports, { ...receipt, digest: receipt.digest as Digest }, payload),
});
