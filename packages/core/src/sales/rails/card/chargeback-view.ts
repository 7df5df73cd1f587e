import * as z from 'zod';
import type { IsoTime } from '../../../kernel/time.ts';
import type { Chargeback } from './chargeback.rules.ts';

/** How a cardholder's dispute with its bank stands, for both parties of a sale. */
export const chargebackState = z
  .object({
    openedAt: z.iso.datetime(),
    settledAt: z.iso.datetime().nullable(),
    status: z
      .enum(['open', 'won', 'lost'])
      .describe(
        'Decided by the bank of whoever paid. `open`: the money stays in escrow meanwhile. `won`: the sale goes on. `lost`: ' +
          'the bank took the money back, so a sale in escrow is refunded.',
      ),
  })
  .meta({ id: 'Chargeback' });

export interface ChargebackColumns {
  readonly chargebackOpenedAt: IsoTime | null;
  readonly chargebackSettledAt: IsoTime | null;
  readonly chargebackStatus: Chargeback['status'] | null;
}

export function viewChargeback(row: ChargebackColumns): z.output<typeof chargebackState> | null {
  const { chargebackOpenedAt: openedAt, chargebackSettledAt: settledAt, chargebackStatus: status } = row;
  return openedAt === null || status === null ? null : { openedAt, settledAt, status };
}
