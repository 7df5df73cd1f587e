import { microsText } from '@agent-marketplace/protocol/metered-units.ts';
import { TooExpensiveError } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';

const MICROS_PER_CENT = 10_000;

/** That a query of a tab costs more than it may: in the words of the option, and with what would do. */
export function explainPrice(error: unknown, mostMicros: number): unknown {
  if (!(error instanceof TooExpensiveError)) return error;
  const priceMicros = Math.round(error.askedCents * MICROS_PER_CENT);
  return new CliFailure(
    'price',
    `The query may cost ${microsText(priceMicros)}, and you allow ${microsText(mostMicros)}.`,
    {
      hint: `Nothing was charged. Allow it with --max-price-micros ${priceMicros}, or leave the option out.`,
      facts: { code: 'price_above_max', charged: false, priceMicros },
    },
  );
}
