import type { MarketplaceClient } from '@agent-marketplace/sdk';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { listingPrice } from '../output/money.ts';
import { plainLine, plainText, printableJson } from '../output/plain-text.ts';

export type ListingDetail = Awaited<ReturnType<MarketplaceClient['getListing']>>;

export const addShow: AddCommand = (program, act) => {
  program
    .command('show')
    .description('One listing: what it is, what it costs, what it answers, how well its seller delivers.')
    .argument('<listing-id>', 'Of the listing.')
    .action(
      act(async (shell, listingId) => {
        const detail = await shell.client.getListing({ listingId });
        shell.print(detail, describe(detail, shell));
      }),
    );
};

function describe({ listing, seller, preview, closedRails }: ListingDetail, { colours }: Shell): string {
  const { measured, inputSchema, exampleQuery, queryRequired } = listing;
  const lines = [
    colours.bold(plainLine(listing.title)),
    `${listingPrice(listing)} · ${listing.verticalName} · ${listing.status}${listing.listingType === 'standard' ? '' : ` · ${listing.listingType}`}`,
    `Seller: ${plainLine(seller.name)} · reputation ${Math.round(seller.reputation)} of 100 · ${record(seller)}`,
    listing.ratingCount > 0
      ? `Rated ${listing.ratingAvg.toFixed(1)} of 5 by ${listing.ratingCount}`
      : 'Not rated yet',
    ...(measured?.successRate == null
      ? []
      : [
          `Delivers at least ${(measured.successRate * 100).toFixed(0)}% of ${measured.samples} queries of the last 30 days`,
        ]),
    ...closedRails.map(
      ({ rail, opensAt, reason }) =>
        `Closed: ${rail}${opensAt === null ? ` (${reason.replaceAll('_', ' ')})` : `, until ${opensAt}`}`,
    ),
    '',
    plainText(listing.description),
    '',
    colours.dim('Preview'),
    printableJson(preview, 2),
    ...(inputSchema === null ? [] : ['', colours.dim('Query'), printableJson(inputSchema, 2)]),
    ...(exampleQuery === null ? [] : ['', colours.dim('Example of a query'), printableJson(exampleQuery, 2)]),
    '',
    `Buy it: agent-market buy ${listing.id}${queryRequired || exampleQuery !== null ? ` --query ${quoted(exampleQuery)}` : ''}`,
    ...(listing.priceMicros == null
      ? []
      : [`Ask many queries on a tab: agent-market tab open ${listing.id} --amount-cents 100`]),
  ];
  return lines.join('\n');
}

const record = ({ deliveredCount, failedCount }: ListingDetail['seller']): string =>
  deliveredCount + failedCount === 0
    ? 'nothing delivered so far'
    : `${deliveredCount} delivered, ${failedCount} failed`;

/** One word of a shell, whatever a stranger wrote. */
const quoted = (query: unknown): string =>
  query === null ? "'{…}'" : `'${printableJson(query).replaceAll("'", "'\\''")}'`;
