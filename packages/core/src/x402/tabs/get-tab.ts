import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { findTab, tabErrors } from '../../sales/index.ts';
import { tabView, viewTab } from './tab-view.ts';

/** Clause: x402 pay-per-query. */
export const getTab = defineOperation({
  name: 'getTab',
  summary: 'What a tab holds, and which voucher is the next.',
  description: 'Whoever has its id may see its sums, and nothing of what was asked.',
  area: 'Purchasing',
  auth: 'none',
  input: z.object({ tabId: id.describe('Of the tab.') }),
  output: tabView,
  errors: [tabErrors.tab_not_found],
  http: { method: 'get', path: '/x402/tabs/{id}', status: 200, names: { tabId: 'id' } },
  rate: 'read',
  prefetch: ({ market }, { tabId }) => findTab(market, tabId),
  async handle(_ctx, _input, tab) {
    if (tab === null) throw new Refusal(tabErrors.tab_not_found);
    return viewTab(tab);
  },
});
