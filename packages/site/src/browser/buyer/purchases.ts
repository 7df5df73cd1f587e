import { AGENT_KEY } from '../parts/agent-key.ts';
import {
  PURCHASE_STATES,
  type Purchase,
  type Purchases,
  purchaseTable,
} from '../parts/console/purchase-list.ts';
import { fromTemplate } from '../parts/console/templates.ts';
import { yearFile } from '../parts/console/year-file.ts';
import { element } from '../parts/dom.ts';
import { inPages } from '../parts/pages.ts';
import { openSession, type Session, withApiKey } from '../parts/session.ts';

const PAGE = 20;

let status: Purchase['status'] | null = null;

openSession(AGENT_KEY, withApiKey, async (session) => {
  const read = (cursor?: string) =>
    session.api.listPurchases({
      limit: PAGE,
      ...(status === null ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  const first = await read();
  if (first.purchases.length === 0 && status === null) return [fromTemplate('no-purchases')];
  const list =
    first.purchases.length === 0
      ? [element('p', { role: 'status' }, 'No purchase stands like this now. Choose another state above.')]
      : inPages<Purchases>(first, {
          draw: ({ purchases }) => purchaseTable(session.api, purchases),
          next: read,
        });
  const year = yearFile({
    name: 'purchases',
    nothing: 'You paid for nothing',
    read: (page) => session.api.getPurchasesFile(page),
    afterOf: (purchaseId) => purchaseId,
  });
  return [filter(session), ...list, year];
});

/** Which of them are shown. */
function filter({ refresh }: Session): HTMLElement {
  const options = Object.entries(PURCHASE_STATES).map(([value, [, words]]) =>
    element('option', { value, ...(value === status ? { selected: '' } : {}) }, words),
  );
  const select = element('select', { id: 'status' }, element('option', { value: '' }, 'All'), ...options);
  select.addEventListener('change', async () => {
    const { value } = select as HTMLSelectElement;
    status = value === '' ? null : (value as Purchase['status']);
    await refresh();
    document.querySelector<HTMLElement>('#status')?.focus();
  });
  return element('div', { class: 'field' }, element('label', { for: 'status' }, 'How it stands'), select);
}
