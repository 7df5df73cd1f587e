import { writeFile } from 'node:fs/promises';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { microsText } from '@agent-marketplace/protocol/metered-units.ts';
import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readJsonObject, wholeNumber } from '../frame/arguments.ts';
import type { AddCommand } from '../frame/command.ts';
import { printableJson } from '../output/plain-text.ts';
import { table } from '../output/table.ts';
import { closeTab } from '../purchase/close-tab.ts';
import { forgetPayment } from '../purchase/kept-payment.ts';
import { reportTab } from '../purchase/report-tab.ts';
import {
  goOnWithTab,
  listTabs,
  pathOfTab,
  payForTab,
  sumsOf,
  type TabState,
  tabIsClosed,
  whereIsRest,
} from '../purchase/tab-payment.ts';
import { askAgain, askAndKeep, forgetVoucher, howToAsk, requireSameQuery } from '../purchase/tab-query.ts';

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
    .option('--abandon', 'give up the answer of an earlier query that was lost, and may be charged')
    .action(
      act(async (shell, tabId, { query: text, maxPriceMicros, output, abandon = false }) => {
        const query = (
          text === undefined ? {} : await readJsonObject(text, '--query', shell.terminal)
        ) as JsonObject;
        const { client, tab: found, state, voucher } = await goOnWithTab(shell, tabId);
        const isClosed = state.closedAt !== null;
        if (voucher !== null && abandon) await forgetVoucher(shell, voucher, isClosed);
        const earlier = abandon ? null : voucher;
        if (earlier !== null) await requireSameQuery(earlier, query, maxPriceMicros);
        else if (isClosed) {
          await forgetPayment(pathOfTab(shell, tabId));
          throw tabIsClosed(shell, state);
        }
        const asking =
          earlier === null
            ? askAndKeep(shell, found, {
                query,
                maxPriceMicros: maxPriceMicros ?? (await priceOf(client, found.payment.listingId)),
              })
            : askAgain(shell, found, earlier);
        const sending = earlier === null ? 'Sending the query.' : 'Sending the same voucher again.';
        const { answer, sent } = await shell.progress(sending, asking);
        if (output !== undefined) await writeFile(output, `${printableJson(answer)}\n`, { mode: 0o600 });
        shell.print(answer, printableJson(answer.content, 2));
        // Only now: an answer that could not be written may be asked for again.
        if (sent !== null) await forgetVoucher(shell, sent, isClosed);
        // Whether a voucher that was sent again was charged before is not known here.
        const left = earlier === null ? ` Left: ${microsText(found.remainingMicros)}.` : '';
        shell.note(`${microsText(answer.priceMicros)} of the tab. Its receipt is valid.${left}`);
        if (output !== undefined) shell.note(`The whole answer is in ${output}.`);
      }),
    );

  tab
    .command('close')
    .description('Close a tab: what is left goes back to the account, less the gas of sending it.')
    .argument('<tab-id>')
    .action(
      act(async (shell, tabId) => {
        const { client, tab: found, state, voucher } = await goOnWithTab(shell, tabId);
        const closing = state.closedAt === null ? closeTab(shell, client, found) : Promise.resolve(state);
        const closed = await shell.progress('Closing the tab.', closing);
        // The answer of a query may be asked for after the tab is closed as well.
        if (voucher === null) await forgetPayment(pathOfTab(shell, tabId));
        shell.print(closed, `Closed. ${sumsOf(closed)}`);
        shell.note(whereIsRest(shell, closed));
        if (voucher !== null) shell.note(howToAsk(voucher));
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

type Tab = TabState & { readonly listingId: string };

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
