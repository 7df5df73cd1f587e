import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { microsText } from '@agent-marketplace/protocol/metered-units.ts';
import { createMarketplaceClient, openTab, PrepaidTab, resumeTab } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { amount } from '../output/money.ts';
import {
  clientOf,
  payAndKeep,
  readPayment,
  type StoredPayment,
  sendKept,
  storePayment,
} from './kept-payment.ts';
import { payingAccount } from './paying-account.ts';
import { untilApproved } from './until-approved.ts';

/** Opens a prepaid tab. Its payment is kept: with it, other commands go on with the tab. */
export async function payForTab(
  shell: Shell,
  order: { readonly listingId: string; readonly amountCents: number },
  { wait }: { readonly wait: boolean },
): Promise<PrepaidTab> {
  const account = await payingAccount(shell);
  const pays = `Paying ${amount(order.amountCents)} in USDC.`;
  return payAndKeep(shell, { opensTab: true }, pays, (options) =>
    untilApproved(shell, { wait, next: null }, async () =>
      keepTab(shell, shell.url, await openTab(shell.client, order, account, options)),
    ),
  );
}

/** Sends a kept payment for a tab again. */
export async function resumeTabPayment(
  shell: Shell,
  path: string,
  stored: StoredPayment,
): Promise<PrepaidTab> {
  const account = await payingAccount(shell);
  return sendKept(shell, path, stored, async (client, options) =>
    keepTab(shell, stored.url, await resumeTab(client, stored.payment, account, options)),
  );
}

/**
 * Goes on with a tab that was opened here, and with the client for it. The payer's signature is all that it needs: a key that
 * was revoked since does not end it.
 */
export async function goOnWithTab(shell: Shell, tabId: string) {
  const stored = await readPayment(pathOfTab(shell, tabId));
  if (stored === null) throw await notKept(shell, tabId);
  const { interrupt: signal, sleep } = shell.terminal;
  const client = createMarketplaceClient({ baseUrl: stored.url, sleep });
  const account = await payingAccount(shell);
  const state = await client.getTab({ tabId });
  const tab = new PrepaidTab(client, account, stored.payment, state, { signal, sleep });
  return { client, tab, state, voucher: stored.voucher ?? null };
}

/** Why nothing is kept of a tab. */
async function notKept(shell: Shell, tabId: string): Promise<CliFailure> {
  const tab = await shell.client.getTab({ tabId }).catch(() => null);
  return tab?.closedAt
    ? tabIsClosed(shell, tab)
    : new CliFailure('not_found', `No tab ${tabId} was opened with this configuration.`, {
        hint: 'agent-market tab lists those that were.',
      });
}

export function tabIsClosed(shell: Shell, tab: TabState): CliFailure {
  const { tabId, closedAt, restCents, returnTransaction } = tab;
  return new CliFailure('refused', `The tab ${tabId} was closed at ${closedAt}. ${sumsOf(tab)}`, {
    hint: whereIsRest(shell, tab),
    facts: { code: 'tab_closed', charged: false, closedAt, restCents, returnTransaction },
  });
}

export type TabState = Awaited<ReturnType<PrepaidTab['close']>>;

export const sumsOf = ({ chargedMicros, limitMicros }: TabState): string =>
  `${microsText(chargedMicros)} of ${microsText(limitMicros)} were spent.`;

/** What becomes of what was left of a closed tab. */
export function whereIsRest(shell: Shell, { tabId, restCents, returnTransaction }: TabState): string {
  if (restCents === 0) return 'All of it was spent: nothing is left to go back.';
  if (returnTransaction !== null) return `What was left went back in ${returnTransaction}.`;
  return restIsOnItsWay(shell, tabId);
}

const restIsOnItsWay = (shell: Shell, tabId: string) =>
  `What is left goes back within minutes, unless it is less than the gas: ${shell.url}/x402/tabs/${tabId} shows by which transfer.`;

/** The tabs that were opened here and not closed, each with the marketplace that has it. */
export async function listTabs(shell: Shell) {
  const names = await readdir(dirname(pathOfTab(shell, ''))).catch(() => []);
  const ids = names.flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? []);
  const kept = await Promise.all(
    ids.map(async (tabId) => [tabId, await readPayment(pathOfTab(shell, tabId))] as const),
  );
  return kept.flatMap(([tabId, stored]) =>
    stored === null ? [] : { tabId, listingId: stored.payment.listingId, client: clientOf(shell, stored) },
  );
}

export const pathOfTab = (shell: Shell, tabId: string): string =>
  join(dirname(shell.configPath), 'tabs', `${tabId}.json`);

async function keepTab(shell: Shell, url: string, tab: PrepaidTab): Promise<PrepaidTab> {
  const path = pathOfTab(shell, tab.tabId);
  // A file that is there may hold the voucher of a query whose answer was lost.
  if ((await readPayment(path)) === null)
    await storePayment(path, { url, payment: tab.payment, opensTab: true });
  return tab;
}
