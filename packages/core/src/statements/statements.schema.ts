import { z } from 'zod';

export const statementLine = z.object({
  amountCents: z.int().describe('Into your escrow; negative: out of it.'),
  at: z.iso.datetime(),
  balanceCents: z.int().describe('Of your escrow after this line.'),
  feeCents: z.int().describe("The platform's share; negative where it was given back."),
  grossCents: z.int().describe('What the buyer paid, or got back (negative); of a payout, what left.'),
  kind: z.enum(['sale', 'refund', 'payout', 'adjustment']),
  listingTitle: z.string().nullable(),
  number: z.string().describe('Of the receipt (R), credit note (C), payout (P) or adjustment (A).'),
  purchaseId: z.uuid(),
});

export const statementTotals = {
  adjustmentCents: z.int().describe('Other movements of the escrow, as chargebacks.'),
  feeCents: z.int().describe('Fees of sales, less those of refunds.'),
  grossSalesCents: z.int(),
  payoutCents: z.int(),
  payoutGasCents: z.int().describe('Of the payouts, gas that you chose to bear: it was not sent.'),
  refundCents: z.int(),
  refunds: z.int(),
  sales: z.int(),
};

export const feeInvoice = z
  .object({ feeCents: z.int(), number: z.string() })
  .nullable()
  .describe("The marketplace's invoice for its fees. Null until the month is final, or without a fee.");

export const yearField = z.int().min(2020).max(2999);

export const taxView = z
  .object({
    country: z
      .string()
      .nullable()
      .describe('As the card processor was told; null where none of its accounts is connected.'),
    taxCountry: z.string().nullable(),
    taxNumber: z.string().nullable().describe('As POST /sell/tax-details was told, with `taxCountry`.'),
  })
  .describe('What tax offices are told of the seller.');

export function viewTax({ country, taxCountry, taxNumber }: z.output<typeof taxView>) {
  return { country, taxCountry, taxNumber };
}
