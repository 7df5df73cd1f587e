import * as z from 'zod';
import { LINE_KINDS } from './statement.rules.ts';

export const statementLine = z
  .object({
    amountCents: z.int().describe('Into your escrow; negative: out of it.'),
    at: z.iso.datetime(),
    balanceCents: z.int().describe('Of your escrow after this line.'),
    feeCents: z.int().describe("The platform's share; negative where it was given back."),
    grossCents: z.int().describe('What the buyer paid, or got back (negative); of a payout, what left.'),
    kind: z.enum(LINE_KINDS),
    listingTitle: z.string().nullable(),
    number: z
      .string()
      .describe(
        'Of the receipt (R), credit note (C), chargeback (B), payout (P), reversal of a payout (V) or adjustment (A).',
      ),
    purchaseId: z.uuid(),
  })
  .meta({ id: 'StatementLine' });

export const statementTotals = z
  .object({
    adjustmentCents: z
      .int()
      .describe(
        'What banks took (negative) or gave back, and other movements, the part of the fee included.',
      ),
    feeCents: z.int().describe('Fees of sales, less those of refunds and chargebacks.'),
    grossSalesCents: z.int(),
    payoutCents: z.int().describe('Less what was taken back of payouts.'),
    payoutGasCents: z.int().describe('Of the payouts, gas that you chose to bear: it was not sent.'),
    refundCents: z.int(),
    refunds: z.int(),
    sales: z.int(),
  })
  .meta({ id: 'StatementTotals' });

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
  .describe('What tax offices are told of the seller.')
  .meta({ id: 'TaxView' });

export function viewTax({ country, taxCountry, taxNumber }: z.output<typeof taxView>) {
  return { country, taxCountry, taxNumber };
}
