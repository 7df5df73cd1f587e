import { randomUUID } from 'node:crypto';
import { Option } from '@commander-js/extra-typings';
import { readJsonObject, wholeNumber } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { money } from '../output/money.ts';
import { plainLine, printableJson } from '../output/plain-text.ts';
import { buyWithKey } from '../purchase/buy-with-key.ts';
import { payInUsdc } from '../purchase/pay-in-usdc.ts';
import { reportPurchase } from '../purchase/report-purchase.ts';
import type { ListingDetail } from './show.ts';

const WAYS = { auto: 'auto', wallet: 'wallet', card: 'card', link: 'checkout' } as const;

type Listing = ListingDetail['listing'];

export const addBuy: AddCommand = (program, act) => {
  program
    .command('buy')
    .description('Buy a listing, at most for the price that is shown. Charged only if the seller delivers.')
    .argument('<listing-id>')
    .option('--query <json>', 'what you ask the seller: JSON, @file, or - for stdin')
    .addOption(
      new Option(
        '--pay <way>',
        'auto: the wallet, else a link; card: the saved one; link: a page where a person pays',
      )
        .choices(['auto', 'wallet', 'card', 'link', 'usdc'] as const)
        .default('auto' as const),
    )
    .option('--max-price-cents <cents>', 'buy only if it costs no more', wholeNumber)
    .option('-y, --yes', 'buy without a question')
    .option('--wait', 'wait for a person who must pay or approve')
    .option('--email <address>', 'for a receipt by mail')
    .option('--idempotency-key <key>', 'of an earlier try: it is bought once, and the same is answered')
    .option('--output <file>', 'write the whole answer to a file, for verify')
    .action(
      act(async (shell, listingId, options) => {
        const { pay, maxPriceCents, output, wait = false, email } = options;
        const query =
          options.query === undefined
            ? undefined
            : await readJsonObject(options.query, '--query', shell.terminal);
        const { listing } = await shell.client.getListing({ listingId });
        requireQuery(listing, query);
        requirePrice(listing, maxPriceCents);
        await requireConsent(shell, listing, options.yes === true || maxPriceCents !== undefined);
        if (pay === 'usdc') {
          const terms = { listingId, query: query ?? {}, maxPriceCents: listing.priceCents };
          const paying = payInUsdc(shell, { ...terms, wait });
          const { purchase } = await shell.progress('Asking for the terms of the payment.', paying);
          await reportPurchase(shell, shell.client, purchase, { output });
          return;
        }
        const { idempotencyKey = randomUUID() } = options;
        // The same request as before has the same limit, whatever it costs by now.
        const isRepeat = options.idempotencyKey !== undefined && maxPriceCents !== undefined;
        const purchase = await buyWithKey(shell, {
          listing: { id: listing.id, priceCents: isRepeat ? maxPriceCents : listing.priceCents },
          input: { paymentMethod: WAYS[pay], query, email },
          idempotencyKey,
          wait,
        });
        if (purchase !== null) await reportPurchase(shell, shell.client, purchase, { output });
      }),
    );
};

function requireQuery(
  { queryRequired, exampleQuery, inputSchema }: Listing,
  query: object | undefined,
): void {
  if (!queryRequired || query !== undefined) return;
  const example = exampleQuery ?? inputSchema;
  throw new CliFailure('usage', 'This listing needs a query: --query <json>.', {
    hint:
      example === null
        ? null
        : `${exampleQuery === null ? 'Its schema' : 'For example'}: ${printableJson(example)}`,
    facts: { exampleQuery, inputSchema },
  });
}

function requirePrice({ priceCents }: Listing, maxPriceCents: number | undefined): void {
  if (maxPriceCents === undefined || priceCents <= maxPriceCents) return;
  throw new CliFailure(
    'price',
    `It costs ${money(priceCents)} now, more than you allow. Nothing was charged.`,
    {
      facts: { code: 'price_above_max', charged: false, priceCents, maxPriceCents },
    },
  );
}

async function requireConsent(
  shell: Shell,
  { title, priceCents }: Listing,
  isGranted: boolean,
): Promise<void> {
  if (isGranted || priceCents === 0) return;
  const price = money(priceCents);
  if (!shell.isInteractive) {
    throw new CliFailure('usage', `It costs ${price}, and nobody can be asked here.`, {
      hint: `To buy it, add --max-price-cents ${priceCents}, or --yes for whatever it costs.`,
      facts: { charged: false, priceCents },
    });
  }
  if (await shell.confirm(`Buy "${plainLine(title)}" for ${price}?`)) return;
  throw new CliFailure('interrupted', 'Not bought. Nothing was charged.', { facts: { charged: false } });
}
