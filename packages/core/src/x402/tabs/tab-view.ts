import * as z from 'zod';
import { restCentsOf, type Tab } from '../../sales/index.ts';

const micros = z.int().describe('In micro-units of USDC: 1 cent is 10000.');

/** A tab as its payer sees it. */
export const tabView = z
  .object({
    ceilingMicros: micros.describe('What the last voucher allowed in all.'),
    chargedMicros: micros.describe('What the answered queries cost.'),
    closedAt: z.iso.datetime().nullable().describe('No voucher is taken since then.'),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe('It is closed then. Null: its payment is not seen on chain yet.'),
    limitMicros: micros.describe('What was paid.'),
    reservedMicros: micros.describe('Of queries that are being answered.'),
    restCents: z
      .int()
      .nullable()
      .describe(
        'What goes back, less its gas. Null until it is closed and no query is out, and while no payment of it is seen on chain.',
      ),
    returnGasCents: z
      .int()
      .nullable()
      .describe('The gas of `returnTransaction`, taken once from all that it sent. Null until it is sent.'),
    returnTransaction: z.string().nullable().describe('What sent it back.'),
    sequence: z.int().describe('Of the last voucher: the next one needs a higher one.'),
    tabId: z.uuid().describe('The sale that it is settled as has this id, too.'),
  })
  .meta({ id: 'Tab' });

export function viewTab(tab: Tab): z.output<typeof tabView> {
  return {
    ceilingMicros: tab.ceilingMicros,
    chargedMicros: tab.chargedMicros,
    closedAt: tab.closedAt,
    expiresAt: tab.expiresAt,
    limitMicros: tab.limitMicros,
    reservedMicros: tab.reservedMicros,
    restCents: restCentsOf(tab),
    returnGasCents: tab.returnTransaction === null ? null : tab.returnGasCents,
    returnTransaction: tab.returnTransaction,
    sequence: tab.sequence,
    tabId: tab.purchaseId,
  };
}
