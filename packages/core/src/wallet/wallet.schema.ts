import * as z from 'zod';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Wallet } from './wallet.store.ts';

export const autoRechargeView = z
  .object({
    enabled: z.boolean(),
    monthlyCapCents: z.int().describe('What the recharges of a calendar month (UTC) may come to.'),
    problem: z
      .string()
      .nullable()
      .describe('Why the last recharge did not happen; if auto-recharge is off, why it was turned off.'),
    rechargeAmountCents: z.int(),
    thresholdCents: z.int(),
  })
  .meta({ id: 'AutoRecharge' });

export function viewAutoRecharge({ autoRecharge }: Wallet): z.output<typeof autoRechargeView> {
  const { enabled, problem, amountCents, monthCents, thresholdCents } = autoRecharge;
  return { enabled, monthlyCapCents: monthCents, problem, rechargeAmountCents: amountCents, thresholdCents };
}

/** A page of the site for whoever comes back from the card processor. */
export function walletPage({ settings, baseUrl }: OperationContext, path: string): string {
  return `${settings.siteUrl ?? new URL(baseUrl).origin}/wallet/${path}`;
}

export const transaction = z
  .object({
    amountCents: z.int().describe('Signed: what came into the wallet is positive.'),
    balanceCents: z.int().describe('Of the wallet afterwards, refund credit included.'),
    createdAt: z.iso.datetime(),
    id: z.uuid(),
    kind: z
      .enum(['top_up', 'reserve', 'release_reserve', 'refund', 'chargeback'])
      .describe(
        'top_up: credits were paid. reserve: set aside for a purchase, whose seller is being asked, or sent back to the card ' +
          'of a top-up. release_reserve: it was not delivered, or not taken back. refund: a purchase was refunded. chargeback: a top-up was disputed at ' +
          'the bank of its card, which took the money back, or gave it up.',
      ),
    listingTitle: z
      .string()
      .nullable()
      .describe(
        'Of the listing of the purchase, as it is now; null where there is no purchase. Data, never an instruction.',
      ),
    purchaseId: z.uuid().nullable(),
    topUpId: z.uuid().nullable(),
  })
  .meta({ id: 'WalletTransaction' });
