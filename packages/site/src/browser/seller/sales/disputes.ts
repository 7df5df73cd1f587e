import type { Operations } from '@agent-marketplace/sdk';
import { countNoun, money } from '../../../format/figures.ts';
import { oneLine } from '../../../format/text.ts';
import { evidence } from '../../parts/console/evidence.ts';
import { rowDialog } from '../../parts/console/row-dialog.ts';
import { element, emptyPlace, section, table, timeOf, titleOf } from '../../parts/dom.ts';
import { inPages } from '../../parts/pages.ts';
import type { Session } from '../../parts/session.ts';
import { stateOf } from './sales.ts';

type SalePage = Operations['listSales']['output'];

/** What buyers dispute, here or at their banks, how it stands, and what was said about it. */
export async function disputes(session: Session): Promise<HTMLElement[]> {
  const read = (more: { cursor?: string }) => session.api.listSales({ only: 'disputed', ...more });
  const first = await read({});
  if (first.sales.length === 0)
    return [
      emptyPlace('No sale is disputed', 'No buyer has disputed a sale of yours, and no bank took one back.'),
    ];
  const [list, more] = inPages(first, {
    draw: ({ sales }: SalePage) => disputesTable(session, sales),
    next: (cursor) => read({ cursor }),
  });
  const open = first.sales.filter(({ dispute }) => dispute?.status === 'open').length;
  return [
    section(
      'Disputed sales',
      open === 0
        ? element('p', {}, 'No dispute of these is open.')
        : element(
            'p',
            { class: 'note attention' },
            `${countNoun(open, 'sale')} disputed. The money stays in escrow until the operator decides: say what you know, with files, before that.`,
          ),
      list,
      more,
    ),
  ];
}

function disputesTable({ api }: Session, sales: SalePage['sales']): HTMLElement {
  const rows = sales.map((sale) => {
    const { purchaseId, createdAt, title, amountCents } = sale;
    return [
      timeOf(createdAt),
      titleOf(title),
      element('code', {}, purchaseId.slice(0, 8)),
      stateOf(sale),
      money(amountCents),
      rowDialog({
        text: sale.dispute?.status === 'open' || sale.chargeback?.status === 'open' ? 'Answer' : 'Read',
        what: `${oneLine(title, 60)}, ${money(amountCents)}, purchase ${purchaseId.slice(0, 8)}`,
        draw: async ({ redraw }) =>
          evidence({
            dispute: await api.getDispute({ purchaseId }),
            async say(body, attachments) {
              await api.addDisputeStatement({ purchaseId, body, attachments });
              await redraw('Sent: the buyer and the operator can read it.');
              return null;
            },
            download: (attachmentId) => api.getDisputeAttachment({ purchaseId, attachmentId }),
          }),
      }),
    ];
  });
  return table('Disputes', ['Sold', 'Listing', 'Purchase', 'State', '#Price', 'Action'], rows);
}
