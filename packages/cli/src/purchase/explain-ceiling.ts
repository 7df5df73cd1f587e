import { microsText } from '@agent-marketplace/protocol/metered-units.ts';
import { MarketplaceError } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';

/** The marketplace speaks of the voucher, which this program signs: its reader knows the option alone. */
export async function explainCeiling(
  error: unknown,
  mostMicros: number,
  readPrice: () => Promise<number>,
): Promise<unknown> {
  if (!(error instanceof MarketplaceError) || error.code !== 'tab_ceiling_too_low') return error;
  const priceMicros = await readPrice().catch(() => null);
  if (priceMicros === null || priceMicros <= mostMicros) return error;
  return new CliFailure(
    'price',
    `The query may cost ${microsText(priceMicros)}, and you allow ${microsText(mostMicros)}.`,
    {
      hint: `Nothing was charged. Allow it with --max-price-micros ${priceMicros}, or leave the option out.`,
      facts: { code: 'price_above_max', charged: false, priceMicros },
    },
  );
}
