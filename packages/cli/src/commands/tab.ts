import { writeFile } from 'node:fs/promises';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { microsText } from '@agent-marketplace/protocol/metered-units.ts';
import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readJsonObject, wholeNumber } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import { printableJson } from '../output/plain-text.ts';
import { table } from '../output/table.ts';
import { explainPrice } from '../purchase/explain-price.ts';
import { forgetPayment } from '../purchase/kept-payment.ts';
import { reportTab } from '../purchase/report-tab.ts';
import { goOnWithTab, listTabs, pathOfTab, payForTab, whereIsRest } from '../purchase/tab-payment.ts';

const MICROS_PER_CENT = 10_000;

export const addTab: AddCommand = (program, act) => {
  const tab = program
    .command('tab')
    .description('Prepaid tabs: one payment in USDC for many queries of a listing.');

  tab
    .command('list', { isDefault: true })
    .description('The tabs that were opened here, and what is left on them.')
    .action(
      act(async (shell) => {
        const kept = await listTabs(shell);
        const tabs = await Promise.all(
          kept.map(async ({ client, listingId, tabId }) => ({
            listingId,
            ...(await client.getTab({ tabId })),
          })),
        );
        shell.print({ tabs }, await tableOf(tabs));
      }),
    );

  tab
    .command('open')
    .description(
      'Pay for a tab. What is left goes back to the account when it is closed, less the gas of that.',
    )
    .argument('<listing-id>')
    .requiredOption('--amount-cents <cents>', '10 to 50000: what the tab holds', wholeNumber)
    .option('--wait', 'wait for a person who must approve')
    .action(
      act(async (shell, listingId, { amountCents, wait = false }) => {
        const paying = payForTab(shell, { listingId, amountCents }, { wait });
        reportTab(shell, await shell.progress('Asking for the terms of the payment.', paying));
      }),
    );

  tab
    .command('ask')
    .description('Ask one query of a tab. Charged only if the seller delivers.')
    .argument('<tab-id>')
    .option('--query <json>', 'what you ask the seller: JSON, @file, or - for stdin')
    .option('--max-price-micros <micros>', 'at most so much, in micro-units: 10000 are a cent', microsFromOne)
    .option('--output <file>', 'write the whole answer to a file, for verify')
    .action(
      act(async (shell, tabId, { query: text, maxPriceMicros, output }) => {
        const query = text === undefined ? {} : await readJsonObject(text, '--query', shell.terminal);
        const { client, tab: found } = await goOnWithTab(shell, tabId);
        const most = maxPriceMicros ?? (await priceOf(client, found.payment.listingId));
        shell.onInterrupt = async () => mayBeCharged(tabId, most);
        const asking = found
          .query(query as JsonObject, { maxPriceMicros: most })
          .catch((error: unknown) => Promise.reject(explainPrice(error, most)));
        const answer = await shell.progress('Sending the query.', asking);
        if (output !== undefined) await writeFile(output, `${printableJson(answer)}\n`, { mode: 0o600 });
        shell.print(answer, printableJson(answer.content, 2));
        shell.note(
          `${microsText(answer.priceMicros)} of the tab. Its receipt is valid. Left: ${microsText(found.remainingMicros)}.`,
        );
        if (output !== undefined) shell.note(`The whole answer is in ${output}.`);
      }),
    );

  tab
    .command('close')
    .description('Close a tab: what is left goes back to the account, less the gas of sending it.')
    .argument('<tab-id>')
    .action(
      act(async (shell, tabId) => {
        const { tab: found } = await goOnWithTab(shell, tabId);
        const closed = await shell.progress('Closing the tab.', found.close());
        await forgetPayment(pathOfTab(shell, tabId));
        shell.print(
          closed,
          `Closed. ${microsText(closed.chargedMicros)} of ${microsText(closed.limitMicros)} were spent.`,
        );
        shell.note(whereIsRest(shell, closed));
      }),
    );
};

function microsFromOne(text: string): number {
  const micros = wholeNumber(text);
  if (micros === 0) throw new InvalidArgumentError('It must be 1 at least: nothing is answered for less.');
  return micros;
}

/** What a query costs at most now. */
async function priceOf(client: MarketplaceClient, listingId: string): Promise<number> {
  const { listing } = await client.getListing({ listingId });
  return listing.priceMicros ?? listing.priceCents * MICROS_PER_CENT;
}

function mayBeCharged(tabId: string, most: number): CliFailure {
  return new CliFailure('interrupted', `Stopped. The query may be charged, ${microsText(most)} at most.`, {
    hint: `See what was charged: agent-market tab. To close the tab: agent-market tab close ${tabId}`,
    facts: { charged: null, tabId },
  });
}

type Tab = Awaited<ReturnType<MarketplaceClient['getTab']>> & { readonly listingId: string };

async function tableOf(tabs: readonly Tab[]): Promise<string> {
  if (tabs.length === 0) return 'There is none.';
  const columns = [
    { heading: 'TAB' },
    { heading: 'LISTING' },
    { heading: 'SPENT', align: 'right' },
    { heading: 'OF', align: 'right' },
    { heading: 'UNTIL' },
  ] as const;
  return table(
    columns,
    tabs.map(({ tabId, listingId, chargedMicros, limitMicros, expiresAt, closedAt }) => [
      tabId,
      listingId,
      microsText(chargedMicros),
      microsText(limitMicros),
      closedAt === null ? (expiresAt ?? '') : 'closed',
    ]),
  );
}
