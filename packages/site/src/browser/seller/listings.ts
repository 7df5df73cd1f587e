import { count, countNoun, listingPrice } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { element, emptyPlace, untrustedText } from '../parts/dom.ts';
import type { Session } from '../parts/session.ts';
import type { Dashboard } from './dashboard.ts';
import { LISTING_STATES } from './listing-states.ts';

const PAGE = 100;

/** Everything of this seller that is or was on sale. */
export async function listings(session: Session): Promise<HTMLElement[]> {
  const first = await session.api.getSellerDashboard({ limit: PAGE });
  const add = element('a', { class: 'button', href: '/seller/listings/new' }, 'List something');
  if (first.listings.length === 0) {
    return [
      emptyPlace(
        'Nothing is listed yet',
        'List an API or data of your own: a title, a price, and the address of your API.',
        add,
      ),
    ];
  }
  const { active, pending, inactive } = first.listingCounts;
  const list = element('ul', { class: 'rows' }, ...first.listings.map(row));
  const total = active + pending + inactive;
  let shown = first.listings.length;
  const more = element('button', { type: 'button', class: 'quiet' }, 'Show more');
  more.addEventListener('click', async () => {
    const { listings: rows } = await session.api.getSellerDashboard({ limit: PAGE, offset: shown });
    list.append(...rows.map(row));
    shown += rows.length;
    if (rows.length === 0 || shown >= total) more.remove();
  });
  return [
    element(
      'p',
      { class: 'actions' },
      add,
      element(
        'span',
        { class: 'soft' },
        `${count(active)} on sale, ${count(pending)} not on sale yet, ${count(inactive)} off the market.`,
      ),
    ),
    list,
    ...(shown < total ? [element('p', { class: 'actions' }, more)] : []),
  ];
}

function row(listing: Dashboard['listings'][number]): HTMLElement {
  const { id, title, status, viewCount, soldCount, ratingCount, ratingAvg } = listing;
  const { words, kind } = LISTING_STATES[status];
  const facts = [
    countNoun(viewCount, 'view'),
    `${count(soldCount)} sold`,
    ratingCount === 0 ? 'not rated yet' : `★ ${ratingAvg.toFixed(1)} (${count(ratingCount)})`,
  ];
  return element(
    'li',
    { class: 'row' },
    element(
      'div',
      { class: 'row-what' },
      element(
        'h2',
        { class: 'row-title for-sale' },
        element('a', { href: `/seller/listings/${id}` }, untrustedText(oneLine(title, 120))),
      ),
      element(
        'p',
        { class: 'row-facts' },
        ...facts.map((fact) => element('span', {}, fact)),
        element('a', { href: `/listings/${id}` }, 'As buyers see it'),
      ),
    ),
    element(
      'div',
      { class: 'row-end' },
      element('span', { class: 'row-price' }, listingPrice(listing)),
      element('span', { class: `state ${kind}` }, words),
    ),
  );
}
