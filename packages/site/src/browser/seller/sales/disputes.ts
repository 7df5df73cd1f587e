import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { countNoun, money } from '../../../format/figures.ts';
import { oneLine } from '../../../format/text.ts';
import { evidence } from '../../parts/console/evidence.ts';
import { rowDialog } from '../../parts/console/row-dialog.ts';
import type { Desk } from '../../parts/desk.ts';
import { element, section, table, timeOf, titleOf } from '../../parts/dom.ts';
import { inPages } from '../../parts/pages.ts';
import { empty } from '../empty.ts';
import { type Sale, stateOf } from './sales.ts';

interface DisputedPage {
  readonly sales: readonly Sale[];
  readonly nextCursor: string | null;
}

/** Enough for one look. */
const ROWS = 10;
/** So many pages of sales are looked through at once: a seller of thousands may have no dispute in them. */
const MOST_PAGES = 10;

/** What buyers dispute, here or at their banks, how it stands, and what was said about it. */
export async function disputes(desk: Desk): Promise<HTMLElement[]> {
  const first = await readDisputed(desk.api);
  if (first.sales.length === 0 && first.nextCursor === null)
    return [
      empty('No sale is disputed', 'No buyer has disputed a sale of yours, and no bank took one back.'),
    ];
  const [list, more] = inPages(first, {
    draw: ({ sales }: DisputedPage) => disputesTable(desk, sales),
    next: (cursor) => readDisputed(desk.api, cursor),
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

/** The next disputed sales, from a cursor on: no list has only these. */
async function readDisputed(api: MarketplaceClient, from?: string): Promise<DisputedPage> {
  const sales: Sale[] = [];
  let cursor = from;
  for (let read = 0; read < MOST_PAGES; read += 1) {
    const page = await api.listSales({ limit: 100, ...(cursor !== undefined && { cursor }) });
    sales.push(...page.sales.filter(({ dispute, chargeback }) => dispute !== null || chargeback !== null));
    if (page.nextCursor === null) return { sales, nextCursor: null };
    cursor = page.nextCursor;
    if (sales.length >= ROWS) break;
  }
  return { sales, nextCursor: cursor ?? null };
}

function disputesTable({ api }: Desk, sales: readonly Sale[]): HTMLElement {
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
