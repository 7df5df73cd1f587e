import { type MarketplaceClient, MarketplaceError, type PrepaidTab } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';
import type { TabState } from './tab-payment.ts';

/**
 * Closes a tab. After a refusal or a lost answer the tab itself says whether it is closed.
 *
 * @throws CliFailure `unresolved` if the answer was lost, and the tab is not known to be closed.
 */
export async function closeTab(shell: Shell, client: MarketplaceClient, tab: PrepaidTab): Promise<TabState> {
  const { tabId } = tab;
  const facts = { charged: null, tabId };
  shell.onInterrupt = async () =>
    new CliFailure('interrupted', 'Stopped. The tab may be closed.', { hint: AGAIN, facts });
  try {
    return await tab.close();
  } catch (error) {
    const state = await client.getTab({ tabId }).catch(() => null);
    if (state?.closedAt) return state;
    // A proxy answered, or nobody did.
    if (!(error instanceof MarketplaceError) || typeof error.problem.code === 'string') throw error;
    throw new CliFailure('unresolved', 'The answer was lost; the tab may be closed.', {
      hint: AGAIN,
      facts: { ...facts, code: error.code },
    });
  }
}

const AGAIN = 'Run the same command again: it is closed once, and what is left goes back once.';
