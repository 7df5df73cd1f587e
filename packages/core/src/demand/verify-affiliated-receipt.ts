import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { checkReceipt, receiptCheckFields } from '../provenance/index.ts';
import { affiliatedReceiptView, viewAffiliatedReceipt } from './affiliated.schema.ts';
import { findAffiliatedReceipt } from './affiliated.store.ts';
import { demandErrors } from './demand.errors.ts';

/** Clause: GET /mktpay/receipts/{id}/verify. */
export const verifyAffiliatedReceipt = defineOperation({
  name: 'verifyAffiliatedReceipt',
  summary: 'Check a pay-rail receipt of the affiliated rail: its digest is made anew from what is recorded.',
  description:
    'The answer holds the whole statement with its signature, so that it can be checked offline as well: the digest ' +
    'is SHA-256 over the statement as compact JSON with sorted keys.',
  area: 'Provenance',
  auth: 'none',
  input: z.object({ receiptId: z.string().max(68) }),
  output: z.object({
    digestValid: z.boolean(),
    id: z.string(),
    ...receiptCheckFields,
    receipt: affiliatedReceiptView,
    recordedAt: z.iso.datetime(),
  }),
  errors: [demandErrors.affiliated_receipt_not_found],
  http: {
    method: 'get',
    path: `/${BRAND.payReceiptSegment}/receipts/{id}/verify`,
    status: 200,
    names: { receiptId: 'id' },
  },
  rate: 'read',
  prefetch: ({ market }, { receiptId }) => findAffiliatedReceipt(market, receiptId),
  async handle({ ports }, { receiptId }, row) {
    if (!row) throw new Refusal(demandErrors.affiliated_receipt_not_found);
    const { keyId, signature, signedAt, createdAt } = row;
    const digest = row.digest as Digest;
    const receipt = viewAffiliatedReceipt(row);
    const check = await checkReceipt(ports, { digest, keyId, signature, signedAt }, [receipt.statement]);
    const { keyStatus, reason, signatureValid, valid } = check;
    return {
      digestValid: check.digestValid === true,
      id: receiptId,
      keyId,
      keyStatus,
      reason,
      receipt,
      recordedAt: createdAt,
      signatureValid,
      signedAt,
      valid,
    };
  },
});
