import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { Option } from '@commander-js/extra-typings';
import { decimal, wholeNumber } from '../frame/arguments.ts';
import type { AddCommand } from '../frame/command.ts';
import { listingPrice } from '../output/money.ts';
import { plainLine } from '../output/plain-text.ts';
import { table } from '../output/table.ts';

type Found = Awaited<ReturnType<MarketplaceClient['browseListings']>>;

const SORTS = ['recent', 'popular', 'price_asc', 'price_desc', 'quality', 'trust', 'relevance'] as const;

export const addSearch: AddCommand = (program, act) => {
  program
    .command('search')
    .description('Find listings by a question or words of their title and description.')
    .argument('[words...]', 'What you look for; left out: all listings.')
    .option('--vertical <slug>', 'market segment')
    .addOption(new Option('--price <which>').choices(['all', 'paid', 'free'] as const))
    .addOption(
      new Option('--type <type>', 'how many may buy it').choices([
        'standard',
        'limited',
        'exclusive',
      ] as const),
    )
    .addOption(new Option('--sort <order>').choices(SORTS))
    .addOption(
      new Option('--samples <which>', "the platform's own reference listings").choices([
        'exclude',
        'include',
        'only',
      ] as const),
    )
    .option('--min-rating <stars>', 'average of buyers', decimal)
    .option('--min-success <share>', 'share of deliveries that succeed, 0 to 1', decimal)
    .option('--max-latency-ms <milliseconds>', 'of 19 in 20 deliveries', wholeNumber)
    .option('--limit <rows>', 'rows of the page', wholeNumber)
    .option('--offset <rows>', 'rows to skip', wholeNumber)
    .action(
      act(async (shell, words, options) => {
        const q = words.join(' ');
        const found = await shell.client.browseListings({ ...options, ...(q === '' ? {} : { q }) });
        shell.print(found, await describe(found));
      }),
    );
};

async function describe({
  listings,
  total,
  offset,
  correctedQuery,
  matched,
  suggestions = [],
}: Found): Promise<string> {
  const rows = listings.map(
    ({ id, title, priceCents, priceMicros, meter, ratingAvg, ratingCount, measured, sellerName }) => [
      id,
      title,
      listingPrice({ priceCents, priceMicros, meter }),
      ratingCount === 0 ? '-' : `${ratingAvg.toFixed(1)} (${ratingCount})`,
      measured?.successRate == null ? '-' : `${Math.round(measured.successRate * 100)}%`,
      sellerName,
    ],
  );
  const columns = [
    { heading: 'ID' },
    { heading: 'TITLE', width: 48 },
    { heading: 'PRICE', align: 'right' },
    { heading: 'RATING' },
    { heading: 'DELIVERS' },
    { heading: 'SELLER', width: 24 },
  ] as const;
  return [
    ...(correctedQuery === undefined ? [] : [`Searched for: ${plainLine(correctedQuery)}`]),
    ...(matched === 'any' ? ['No listing has every word; these have some.'] : []),
    ...(rows.length === 0 ? [] : [await table(columns, rows)]),
    rows.length === 0 ? 'Nothing found.' : `${offset + 1} to ${offset + rows.length} of ${total}`,
    ...suggestions.map(({ text }) => `Try: ${plainLine(text)}`),
  ].join('\n');
}
