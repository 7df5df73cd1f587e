import { countNoun } from '../../format/figures.ts';
import { element, section, timeOf } from '../parts/dom.ts';
import type { Dashboard } from './dashboard.ts';

interface Need {
  readonly text: string | readonly (HTMLElement | string)[];
  readonly href: string;
  readonly label: string;
}

/** What waits for the seller, each with where it is done. */
export function needs(dashboard: Dashboard): HTMLElement {
  const open = needsOf(dashboard);
  return section(
    'What needs you',
    open.length === 0
      ? element('p', { class: 'note done' }, 'Nothing waits for you.')
      : element(
          'ul',
          { class: 'entries' },
          ...open.map(({ text, href, label }) =>
            element(
              'li',
              { class: 'entry' },
              element('span', {}, ...[text].flat()),
              element('a', { class: 'nowrap', href }, label),
            ),
          ),
        ),
  );
}

function needsOf({ endpoint, payouts, listings, sales, offers }: Dashboard): Need[] {
  const toShip = sales.filter(({ awaitsShipment }) => awaitsShipment);
  const disputed = sales.filter(({ dispute }) => dispute?.status === 'open').length;
  const waiting = listings.filter(({ status }) => status === 'pending');
  const [firstShipBy] = toShip.flatMap(({ shipBy }) => shipBy ?? []).sort();
  const found: (Need | false)[] = [
    listings.length === 0 && {
      text: 'You have listed nothing yet.',
      href: '/seller/listings/new',
      label: 'List something',
    },
    endpoint === null &&
      listings.length > 0 && {
        text: 'Nobody can buy: the address of your API is not proven.',
        href: '/seller/endpoint',
        label: 'Prove it',
      },
    endpoint?.silentSince != null && {
      text: ['Your endpoint has answered nobody since ', timeOf(endpoint.silentSince), '.'],
      href: '/seller/endpoint',
      label: 'See why',
    },
    !payouts.connected &&
      waiting.some(({ priceCents }) => priceCents > 0) && {
        text: `${countNoun(waiting.length, 'listing')} with a price cannot be sold: nobody knows where to pay you.`,
        href: '/seller/payouts',
        label: 'Connect payouts',
      },
    payouts.changes.length > 0 && {
      text: 'Somebody asked to change where you are paid.',
      href: '/seller/payouts',
      label: 'Look at it',
    },
    toShip.length > 0 && {
      text: [
        `${countNoun(toShip.length, 'order')} to ship`,
        ...(firstShipBy ? [', the first by ', timeOf(firstShipBy)] : []),
        '.',
      ],
      href: '/seller/orders',
      label: 'Ship',
    },
    disputed > 0 && {
      text: `${countNoun(disputed, 'sale')} disputed by a buyer.`,
      href: '/seller/disputes',
      label: 'See the dispute',
    },
    offers.length > 0 && {
      text: `${countNoun(offers.length, 'offer')} to accept or decline.`,
      href: '#offers',
      label: 'Decide',
    },
  ];
  return found.filter((one) => one !== false);
}
