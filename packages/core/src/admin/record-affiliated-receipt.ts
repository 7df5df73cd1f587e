import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import * as z from 'zod';
import {
  affiliatedReceiptView,
  affiliatedRow,
  affiliatedStatement,
  insertAffiliatedReceipt,
  isOtherMerchant,
  isRecordedBefore,
  type RecordedReceipt,
  viewAffiliatedRow,
} from '../demand/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { lineOf, linesOf } from '../kernel/text-schema.ts';
import { type EpochMs, epochOf, isoTime } from '../kernel/time.ts';
import { adminErrors } from './admin.errors.ts';

const input = z.object({
  id: z
    .string()
    .max(68)
    .regex(/^vps_[0-9A-Za-z]{8,64}$/)
    .optional()
    .describe('The id that the merchant’s receipt has already; one is made if it is left out.'),
  merchant: z.object({
    id: z
      .string()
      .max(64)
      .regex(/^[a-z0-9][a-z0-9-]*$/),
    name: lineOf(100),
    siteOrigin: z.string().max(255).describe('As https://shop.example.com.'),
  }),
  description: linesOf(500),
  amountCents: z.int().min(0).max(1_000_000_000),
  rail: z
    .string()
    .max(32)
    .regex(/^[a-z0-9_-]+$/),
  mode: z.enum(['live', 'test']),
  status: z.enum(['paid', 'refunded']),
  paidAt: z.iso.datetime().max(40),
});

const output = z.object({ receipt: affiliatedReceiptView, row: affiliatedRow });

/** For the operator: records a sale that a related business made on its own site. Clause: affiliatedRail object. */
export const recordAffiliatedReceipt = defineOperation({
  name: 'recordAffiliatedReceipt',
  summary: 'Disclose a sale that a related business made on a site of its own.',
  description:
    'For the operator. The receipt is signed now and stays as it is; it is listed under affiliatedRail of GET ' +
    '/proof/demand and is part of no other total. A merchant is recorded with its first receipt.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'finance',
  input,
  publicFields: ['merchant', 'description'],
  output,
  errors: [adminErrors.affiliated_receipt_exists, adminErrors.affiliated_merchant_differs],
  http: { method: 'post', path: '/admin/affiliated-receipts', status: 201 },
  rate: 'write',
  replay: 'stored',
  audit: ({ id = null }) => ({ subject: { type: 'affiliated_receipt', id } }),
  async handle(ctx, fields) {
    const { ports, now } = ctx;
    const createdAt = isoTime(now);
    const { merchant, paidAt, id = `vps_${toHex(ports.ids.randomBytes(12))}`, ...rest } = fields;
    const receipt = {
      ...rest,
      id,
      merchantId: merchant.id,
      merchantName: merchant.name,
      merchantSiteOrigin: requireOrigin(merchant.siteOrigin),
      paidAt: requirePast(paidAt, now),
    };
    const signed = await signStatement(ports.signer, affiliatedStatement(receipt), createdAt);
    const { digest, keyId, signature, signedAt } = signed;
    const row: RecordedReceipt = { ...receipt, createdAt, digest, keyId, signature, signedAt };
    const answer = { receipt: signed, row: viewAffiliatedRow(row) };
    try {
      await ctx.commit(insertAffiliatedReceipt(row), answer);
    } catch (error) {
      if (isRecordedBefore(error)) throw new Refusal(adminErrors.affiliated_receipt_exists);
      throw isOtherMerchant(error) ? new Refusal(adminErrors.affiliated_merchant_differs) : error;
    }
    return answer;
  },
});

function requireOrigin(text: string): string {
  if (URL.canParse(text)) {
    const { protocol, origin } = new URL(text);
    if (protocol === 'https:' && origin === text) return origin;
  }
  throw invalid('merchant.siteOrigin', 'An https origin, without path or slash at its end.');
}

function requirePast(time: string, now: EpochMs): string {
  const at = epochOf(time);
  if (at > now) throw invalid('paidAt', 'It is in the future.');
  return isoTime(at);
}

function invalid(path: string, message: string): Refusal {
  return new Refusal(commonErrors.validation_failed, { fields: [{ message, path }] });
}
