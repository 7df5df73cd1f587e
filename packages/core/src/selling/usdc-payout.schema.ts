import * as z from 'zod';
import { withChecksum } from '../kernel/address.ts';
import { UNITS_PER_CENT } from '../kernel/ports/chain.ts';
import type { SellerPayout } from '../sales/index.ts';

const time = z.iso.datetime();

export const usdcPayout = z
  .object({
    address: z.string().describe('The wallet that was bound when it began.'),
    amountCents: z.int(),
    amountUnits: z
      .string()
      .describe('What is sent, in the smallest units of USDC: `amountCents` less `gasCents`.'),
    chainId: z.int(),
    createdAt: time,
    gasCents: z.int().describe('Of it, the gas that you chose to bear: it is not sent.'),
    endedAt: time.nullable().describe('Null while it is on its way.'),
    id: z.uuid(),
    purchaseIds: z
      .array(z.uuid())
      .describe('The sales whose shares it pays. None where it was refused: they go with a later one.'),
    status: z.enum(['sending', 'paid', 'refused']),
    transaction: z
      .string()
      .nullable()
      .describe(
        'Look it up on chain. Until it is paid, the last that was sent; it may be replaced by another.',
      ),
  })
  .meta({ id: 'UsdcPayout' });

/** The payout with its members in canonical order. */
export function viewUsdcPayout(payout: SellerPayout): z.output<typeof usdcPayout> {
  const {
    address,
    amountCents,
    chainId,
    createdAt,
    endedAt,
    gasCents,
    id,
    purchaseIds,
    status,
    transactionHash,
  } = payout;
  return {
    address: withChecksum(address),
    amountCents,
    amountUnits: String(BigInt(amountCents - gasCents) * UNITS_PER_CENT),
    chainId,
    createdAt,
    endedAt,
    gasCents,
    id,
    purchaseIds: [...purchaseIds],
    status,
    transaction: transactionHash,
  };
}
