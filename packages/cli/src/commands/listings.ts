import { keySetOf, type MarketplaceClient, verifyListingHistory } from '@agent-marketplace/sdk';
import { Option } from '@commander-js/extra-typings';
import { listOf, readJsonObject, wholeNumber } from '../frame/arguments.ts';
import { asSeller } from '../frame/as-seller.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import { listingPrice } from '../output/money.ts';
import { pendingNotice } from '../output/pending-notice.ts';
import { plainLine } from '../output/plain-text.ts';
import { table } from '../output/table.ts';

type CreateInput = Parameters<MarketplaceClient['createListing']>[0];
type UpdateInput = Parameters<MarketplaceClient['updateListing']>[0];
type Entry = Awaited<ReturnType<MarketplaceClient['getListingHistory']>>['entries'][number];

const REDELIVERY = ['same', 'fresh_once'] as const;

export const addListings: AddCommand = (program, act) => {
  const listings = program.command('listings').description('What you sell.');

  listings
    .command('list', { isDefault: true })
    .description('Your listings, newest first.')
    .option('--limit <rows>', 'rows of the page', wholeNumber)
    .option('--offset <rows>', 'rows to skip', wholeNumber)
    .action(
      act(async (shell, options) => {
        const {
          listings: rows,
          listingCounts,
          endpoint,
          limit,
          offset,
        } = await shell.me.getSellerDashboard(options);
        const cells = rows.map(
          ({
            id,
            title,
            priceCents,
            priceMicros,
            meter,
            status,
            soldCount,
            ratingAvg,
            ratingCount,
            version,
          }) => [
            id,
            title,
            listingPrice({ priceCents, priceMicros, meter }),
            status,
            String(soldCount),
            ratingCount === 0 ? '-' : `${ratingAvg.toFixed(1)} (${ratingCount})`,
            String(version),
          ],
        );
        const columns = ['LISTING', 'TITLE', 'PRICE', 'STATUS', 'SOLD', 'RATING', 'VERSION'].map(
          (heading) => ({ heading }),
        );
        const text = cells.length === 0 ? 'There is none.' : await table(columns, cells);
        shell.print({ listings: rows, listingCounts, endpoint, limit, offset }, text);
        if (endpoint === null)
          shell.note('No delivery endpoint is set: agent-market listings endpoint <url>');
      }),
    );

  listings
    .command('create')
    .description('Put something up for sale, from a file, options, or both: options win.')
    .option('--file <json>', 'the fields as the API has them: @file, - for stdin, or JSON')
    .option('--title <text>')
    .option('--description <text>')
    .option('--price-cents <cents>', '0 is free', wholeNumber)
    .option('--price-micros <units>', 'of USDC, where it is no whole number of cents', wholeNumber)
    .option('--preview <json>', 'what is seen before buying: JSON or @file')
    .option('--vertical <slug>', 'left out, it is filed by its text')
    .option('--tag <word>', 'to be found by; repeated, or with commas', listOf)
    .option('--input-schema <json>', 'JSON Schema of the query')
    .option('--output-schema <json>', 'JSON Schema of what is delivered')
    .option('--example-query <json>', 'a query that it answers')
    .addOption(new Option('--redelivery <what>', 'what a paid purchase shows later').choices(REDELIVERY))
    .option('--consent', 'you own it or may sell it, and it is not resold data')
    .action(
      act(
        async (shell, { file, tag, consent, preview, inputSchema, outputSchema, exampleQuery, ...plain }) => {
          const fields = definedOf({
            ...(await objectOf(shell, file, '--file')),
            ...definedOf({
              ...plain,
              contextTags: tag,
              preview: await objectOf(shell, preview, '--preview'),
              inputSchema: await objectOf(shell, inputSchema, '--input-schema'),
              outputSchema: await objectOf(shell, outputSchema, '--output-schema'),
              exampleQuery: await objectOf(shell, exampleQuery, '--example-query'),
            }),
          });
          await requireConsent(shell, fields, consent === true);
          // The marketplace says which fields are missing or wrong.
          const created = await shell.me.createListing({
            ...fields,
            consent: true,
          } as unknown as CreateInput);
          const { listing } = created;
          const notice = pendingNotice(created);
          const lines = [
            `Listed as ${listing.id}, ${listing.status}, filed under ${created.filing.verticalSlug}.`,
            ...(notice === '' ? [] : [notice]),
          ];
          shell.print(created, lines.join('\n'));
        },
      ),
    );

  listings
    .command('edit')
    .description('Change a listing. Every change is signed, and in its public history.')
    .argument('<listing-id>')
    .option('--title <text>')
    .option('--description <text>')
    .option('--price-cents <cents>', '0 is free', wholeNumber)
    .option('--price-micros <units>', 'of USDC, where it is no whole number of cents', wholeNumber)
    .option('--preview <json>', 'what is seen before buying: JSON or @file')
    .addOption(new Option('--redelivery <what>', 'what a paid purchase shows later').choices(REDELIVERY))
    .option('--reason <text>', 'shown in the history')
    .action(
      act(async (shell, listingId, { preview, ...plain }) => {
        const fields = definedOf({ ...plain, preview: await objectOf(shell, preview, '--preview') });
        const { reason: _, ...changes } = fields;
        if (Object.keys(changes).length === 0)
          throw new CliFailure('usage', 'Nothing is to be changed: name a field.');
        await change(shell, { ...fields, listingId } as UpdateInput);
      }),
    );

  for (const [name, active, description] of [
    ['activate', true, 'Put a listing back on the market.'],
    ['deactivate', false, 'Take a listing off the market.'],
  ] as const) {
    listings
      .command(name)
      .description(description)
      .argument('<listing-id>')
      .option('--reason <text>', 'shown in the history')
      .action(act(async (shell, listingId, { reason }) => change(shell, { listingId, active, reason })));
  }

  listings
    .command('history')
    .description('Every change of a listing, with the check of the chain that they form.')
    .argument('<listing-id>')
    .action(
      act(async (shell, listingId) => {
        const entries = await allEntries(shell.client, listingId);
        const keys = keySetOf(await shell.client.getSigningKey());
        const verification = await verifyListingHistory(listingId, entries, keys);
        if (!verification.valid) {
          throw new CliFailure(
            'invalid',
            `The history is not valid at version ${verification.version}: ${verification.reason}.`,
            {
              facts: { code: verification.reason, listingId, entries, verification },
            },
          );
        }
        const lines = entries.map(
          ({ version, changedAt, changeType, changes, reason }) =>
            `${version}  ${changedAt}  ${changeType}  ${Object.keys(changes).join(', ')}${reason === null ? '' : `  "${plainLine(reason)}"`}`,
        );
        const text = [...lines, `The chain of ${verification.version} is valid.`].join('\n');
        shell.print({ listingId, entries, verification }, text);
      }),
    );

  listings
    .command('endpoint')
    .description('Set where the marketplace asks you for what was bought; it is verified at once.')
    .argument('<url>', 'Your public https URL.')
    .action(
      act(async (shell, callbackUrl) => {
        const endpoint = await shell.progress(
          'Asking your endpoint.',
          asSeller(shell, (client) => client.setDeliveryEndpoint({ callbackUrl })),
        );
        const live = endpoint.activatedListings.length;
        shell.print(
          endpoint,
          `Verified. ${live === 0 ? 'No listing waited for it.' : `Live now: ${endpoint.activatedListings.join(', ')}`}`,
        );
      }),
    );
};

async function change(shell: Shell, input: UpdateInput): Promise<void> {
  const updated = await shell.me.updateListing(input);
  const { version, status, change: entry } = updated;
  shell.print(
    updated,
    entry === null
      ? 'It was so already.'
      : `Version ${version}, ${status}: ${Object.keys(entry.changes).join(', ')}`,
  );
}

async function allEntries(client: MarketplaceClient, listingId: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<MarketplaceClient['getListingHistory']>> = await client.getListingHistory({
      listingId,
      after,
    });
    entries.push(...page.entries);
    after = page.nextAfter;
  }
  return entries;
}

async function objectOf(shell: Shell, text: string | undefined, name: string) {
  return text === undefined ? undefined : readJsonObject(text, name, shell.terminal);
}

const definedOf = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

async function requireConsent(
  shell: Shell,
  { title, consent }: Readonly<Record<string, unknown>>,
  isGranted: boolean,
) {
  if (isGranted || consent === true) return;
  const question = `Do you own "${plainLine(String(title))}" or may you sell it, and is it not resold data?`;
  if (!shell.isInteractive) throw new CliFailure('usage', question, { hint: 'If so, add --consent.' });
  if (!(await shell.confirm(question))) throw new CliFailure('interrupted', 'Not listed.');
}
