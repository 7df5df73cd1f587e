import { instant, money } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { element, section, untrustedText } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import { sayDone } from '../parts/say-done.ts';
import type { Session } from '../parts/session.ts';
import type { Dashboard } from './dashboard.ts';

/** Offers of buyers that wait for an answer. */
export function offers(session: Session, { offers: open, listings: own }: Dashboard): HTMLElement {
  const entries = open.map((offer) => {
    const listing = own.find(({ id }) => id === offer.listingId);
    const decide = (button: string, act: () => Promise<unknown>, done: string) =>
      actionForm(button, [], async () => {
        await act();
        return sayDone(session, done);
      });
    return element(
      'li',
      { class: 'entry' },
      element(
        'div',
        { class: 'entry-what' },
        element('h3', {}, listing ? untrustedText(oneLine(listing.title, 120)) : 'Your listing'),
        element('p', { class: 'fine' }, `Open until ${instant(offer.expiresAt)}`),
        offer.query !== null && queryDetails(offer.query),
        element(
          'div',
          { class: 'actions' },
          decide(
            'Accept',
            () => session.api.acceptOffer({ offerId: offer.id }),
            'Accepted: the buyer pays now.',
          ),
          decide(
            'Decline',
            () => session.api.declineOffer({ offerId: offer.id }),
            'Declined. Nothing was charged.',
          ),
        ),
      ),
      element('p', { class: 'entry-price' }, money(offer.amountCents)),
    );
  });
  const part = section('Offers', element('ul', { class: 'entries' }, ...entries));
  part.id = 'offers';
  return part;
}

/** The seller sees the buyer's query before it accepts an offer. */
function queryDetails(query: unknown): HTMLElement {
  const text = untrustedText(JSON.stringify(query, null, 2));
  return element(
    'details',
    {},
    element('summary', {}, 'The buyer’s query'),
    element('pre', { class: 'query', tabindex: '0' }, element('code', {}, text)),
  );
}
