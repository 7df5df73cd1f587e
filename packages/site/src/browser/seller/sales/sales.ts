import type { Operations } from '@agent-marketplace/sdk';
import { countNoun, money, price } from '../../../format/figures.ts';
import { oneLine } from '../../../format/text.ts';
import { element, emptyPlace, section, table, timeOf, titleOf, untrustedText } from '../../parts/dom.ts';
import { actionForm } from '../../parts/forms.ts';
import { inPages } from '../../parts/pages.ts';
import { sayDone } from '../../parts/say-done.ts';
import type { Session } from '../../parts/session.ts';

type Sale = Operations['listSales']['output']['sales'][number];

const STATES: Readonly<Record<Sale['status'], string>> = {
  held: 'In escrow',
  releasing: 'Being paid out',
  released: 'Paid out',
  refunded: 'Refunded',
};

type SalePage = Operations['listSales']['output'];

/** Orders to ship first, then all sales. */
export async function orders(session: Session): Promise<HTMLElement[]> {
  const first = await session.api.listSales();
  if (first.sales.length === 0)
    return [
      emptyPlace(
        'No sales yet',
        'A sale appears here as soon as somebody buys.',
        element('a', { class: 'button', href: '/seller/listings' }, 'See your listings'),
      ),
    ];
  const shipping = first.sales.filter(({ awaitsShipment }) => awaitsShipment);
  const [list, more] = inPages(first, {
    draw: ({ sales }: SalePage) => salesTable('Sales', sales),
    next: (cursor) => session.api.listSales({ cursor }),
  });
  return [
    ...(shipping.length === 0
      ? []
      : [section('To ship', ...shipping.flatMap((sale) => toShip(session, sale)))]),
    section('All sales', disputedNote(first.sales), list, more),
  ];
}

function salesTable(name: string, sales: readonly Sale[]): HTMLElement {
  const rows = sales.map((sale) => [
    timeOf(sale.createdAt),
    titleOf(sale.title),
    element('span', { class: 'nowrap' }, sale.buyer ?? 'a guest'),
    stateOf(sale),
    sale.status === 'refunded' || sale.amountCents === 0 ? '–' : money(sale.platformFeeCents),
    price(sale.amountCents),
  ]);
  return table(name, ['When', 'Listing', 'Buyer', 'State', '#Fee', '#Price'], rows);
}

/** How many are open, and how the seller is heard. */
function disputedNote(sales: readonly Sale[]): HTMLElement | false {
  const disputed = sales.filter(({ dispute }) => dispute?.status === 'open').length;
  return (
    disputed > 0 &&
    element(
      'p',
      { class: 'note attention' },
      `${countNoun(disputed, 'sale')} disputed. The money stays in escrow until the operator decides. Say what you know, with files, on the page `,
      element('a', { href: '/seller/disputes' }, 'Disputes'),
      '.',
    )
  );
}

export function stateOf(sale: Sale): HTMLElement | string {
  const { status, holdUntil, reserveUntil, awaitsShipment, shipBy, dispute, chargeback, notice } = sale;
  const { payoutWaitsUntil } = sale;
  if (sale.amountCents === 0 && status === 'released') return 'Delivered';
  if (chargeback?.status === 'open')
    return element('span', {}, 'Disputed at the buyer’s bank since ', timeOf(chargeback.openedAt));
  if (chargeback?.status === 'lost' && status !== 'released')
    return status === 'refunded' ? 'Taken back by the buyer’s bank' : 'Being taken back by the buyer’s bank';
  if (dispute?.status === 'open')
    return element(
      'span',
      {},
      'Disputed since ',
      timeOf(dispute.openedAt),
      '; decided',
      ...(dispute.decideBy === null ? [] : [' by ', timeOf(dispute.decideBy)]),
    );
  if (dispute?.status === 'refunded')
    return status === 'refunded' ? 'Refunded by decision' : 'Decided for the buyer, being refunded';
  if (dispute?.status === 'released' && status === 'held') return 'Decided for you, paid out next';
  if (awaitsShipment) return shipBy === null ? 'Ship it' : element('span', {}, 'Ship it by ', timeOf(shipBy));
  if (payoutWaitsUntil !== null)
    return element('span', {}, 'Paid with further sales, at the latest ', timeOf(payoutWaitsUntil));
  if (notice?.code === 'in_reserve' && reserveUntil !== null)
    return element('span', {}, 'In reserve until ', timeOf(reserveUntil));
  if (notice !== null) return notice.text;
  if (status !== 'held' || holdUntil === null) return STATES[status];
  return element('span', {}, 'In escrow until ', timeOf(holdUntil));
}

function toShip(session: Session, { title, purchaseId, shipBy }: Sale): HTMLElement[] {
  const fields = [
    { name: 'carrier', label: 'Carrier', attributes: { required: '', maxlength: '100' } },
    { name: 'trackingNumber', label: 'Tracking number', attributes: { required: '', maxlength: '100' } },
  ];
  return [
    element('h3', {}, untrustedText(oneLine(title, 80))),
    shipBy !== null &&
      element('p', { class: 'soft' }, 'By ', timeOf(shipBy), ', or the buyer gets the money back.'),
    actionForm('Record the shipment', fields, async ({ carrier = '', trackingNumber = '' }) => {
      await session.api.shipOrder({ purchaseId, carrier, trackingNumber });
      return sayDone(session, 'The shipment is recorded. Your share is due once its time in escrow is over.');
    }),
  ].filter((one) => one !== false);
}
