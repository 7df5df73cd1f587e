import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import * as z from 'zod';
import { accountSignature } from '../../kernel/account-signature.schema.ts';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findTab, sellClosedTab, tabErrors, typedClosing } from '../../sales/index.ts';
import { x402Errors } from '../x402.errors.ts';
import { requireSigned } from './require-signed.ts';
import { tabView, viewTab } from './tab-view.ts';

/** Clause: x402 pay-per-query. */
export const closeTab = defineOperation({
  name: 'closeTab',
  summary: 'Close a tab: what it holds goes back, less the gas of that.',
  description:
    'It takes no more vouchers at once. A query that is out is still answered, and charged. The tab is then one sale of what ' +
    'its queries cost, rounded up to whole cents, and the rest goes back to the account that paid. Every tab is closed 24 ' +
    'hours after it was opened.',
  area: 'Purchasing',
  auth: 'none',
  input: z.object({
    tabId: id.describe('Of the tab.'),
    signature: accountSignature.describe('Of the account that paid, over the typed data `Close`.'),
  }),
  output: tabView,
  errors: [tabErrors.tab_not_found, tabErrors.tab_not_signed, x402Errors.x402_not_available],
  http: { method: 'post', path: '/x402/tabs/{id}/close', status: 200, names: { tabId: 'id' } },
  rate: 'x402',
  movesMoney: true,
  prefetch: ({ market }, { tabId }) => findTab(market, tabId),
  async handle({ ports }, { tabId, signature }, found) {
    const { chain, market } = ports;
    if (found === null) throw new Refusal(tabErrors.tab_not_found);
    if (chain === null) throw new Refusal(x402Errors.x402_not_available);
    await requireSigned(chain, found.payer, typedClosing(chain.token, tabId), signature as Hex);
    // What is left undone, a job does.
    const tab = await sellClosedTab(ports, tabId).catch((error: unknown) => {
      ports.log.error('tab_sale_delayed', { purchaseId: tabId, message: String(error) });
      return found;
    });
    return viewTab((await findTab(market, tabId)) ?? tab);
  },
});
