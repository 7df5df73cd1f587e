import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { reasonField } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { publicUrl } from '../kernel/public-url.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import {
  escrowErrors,
  isStatusConflict,
  type PaidElsewhere,
  payElsewhere,
  purchaseId,
  type Sale,
  saleStatus,
} from '../sales/index.ts';
import { adminErrors } from './admin.errors.ts';
import { auditPurchase, operatedPurchase } from './operated-purchase.ts';

const party = z.enum(['seller', 'buyer']);
const paidFrom = z.enum(['bank', 'usdc_clearing']);
const evidence = z
  .object({
    text: linesOf(500).optional().describe('Of a bank statement, say; shown to the party.'),
    url: publicUrl.optional(),
    digest: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .optional()
      .describe('Of a document that you keep.'),
  })
  .refine((parts) => Object.values(parts).some((value) => value !== undefined), {
    error: 'A text, a URL or a digest.',
  });

/** For the operator: the last way to pay what no rail pays. */
export const markPaidElsewhere = defineOperation({
  name: 'markPaidElsewhere',
  summary: 'Record that the platform paid a seller, or refunded a buyer, by means of its own.',
  description:
    'For the operator, once the money has left: by bank, or in USDC from the account on chain. The purchase ends as ' +
    'released or refunded, the ledger posts it against `paidFrom`, and the party is shown the evidence. While a transfer, ' +
    'a payout or a refund of it may still be made, it is refused. What was recorded stays as it is.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'finance',
  input: z.object({ purchaseId, party, paidFrom: paidFrom.default('bank'), evidence, reason: reasonField }),
  output: z.object({
    amountCents: z.int(),
    evidence: z.object({
      digest: z.string().nullable(),
      text: z.string().nullable(),
      url: z.string().nullable(),
    }),
    paidAt: z.iso.datetime(),
    paidFrom,
    party,
    purchaseId: z.uuid(),
    status: saleStatus,
  }),
  errors: [
    escrowErrors.purchase_not_found,
    adminErrors.payment_still_possible,
    adminErrors.paid_elsewhere_differs,
  ],
  http: {
    method: 'post',
    path: '/admin/purchases/{id}/paid-elsewhere',
    status: 200,
    names: { purchaseId: 'id' },
  },
  rate: 'write',
  replay: ({ ports }, _outcome, { purchaseId }) => viewRecorded(ports, String(purchaseId)),
  audit: auditPurchase,
  async handle(ctx, { purchaseId, party, paidFrom, evidence }) {
    const { ports } = ctx;
    const sale = await operatedPurchase(ports, purchaseId);
    const { paidElsewhere: recorded } = sale;
    if (recorded !== null) {
      if (recorded.party !== party) throw new Refusal(adminErrors.paid_elsewhere_differs);
      return viewOf(sale, recorded);
    }
    const isDisputedAtBank = sale.chargeback !== null && sale.chargeback.settledAt === null;
    const isPaid = sale.payment.payerAccount !== null && sale.status === 'held';
    if (!isPaid || isDisputedAtBank) throw new Refusal(adminErrors.payment_still_possible);
    const { text = null, url = null, digest = null } = evidence;
    try {
      const payment = { party, paidFrom, evidence: { digest, text, url } };
      await ctx.commit(
        payElsewhere(ports, sale, payment, isoTime(ctx.now)),
        { purchaseId },
        { after: payment },
      );
    } catch (error) {
      throw isStatusConflict(error) ? new Refusal(adminErrors.payment_still_possible) : error;
    }
    return viewRecorded(ports, purchaseId);
  },
});

async function viewRecorded(ports: Parameters<typeof operatedPurchase>[0], purchaseId: string) {
  const sale = await operatedPurchase(ports, purchaseId);
  if (sale.paidElsewhere === null) throw new Error(`Nothing was recorded of purchase ${purchaseId}.`);
  return viewOf(sale, sale.paidElsewhere);
}

function viewOf({ id, status }: Sale, { amountCents, evidence, paidAt, paidFrom, party }: PaidElsewhere) {
  return { amountCents, evidence, paidAt, paidFrom, party, purchaseId: id, status };
}
