import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../../format/figures.ts';
import type { StateKind } from '../../format/state-kind.ts';
import { errorText } from '../../order/error-text.ts';
import { AGENT_KEY } from '../parts/agent-key.ts';
import { fromTemplate, stateBadge } from '../parts/console/templates.ts';
import { element, table, timeOf, titleOf } from '../parts/dom.ts';
import { inPages } from '../parts/pages.ts';
import { sayDone } from '../parts/say-done.ts';
import { openSession, type Session, withApiKey } from '../parts/session.ts';

type Offers = Operations['listOffers']['output'];
type Offer = Offers['offers'][number];

const PAGE = 20;

const STATES: Readonly<Record<Offer['status'], readonly [kind: StateKind, words: string]>> = {
  open: ['waiting', 'Waiting for the seller'],
  accepted: ['done', 'Accepted: see Purchases'],
  declined: ['failed', 'Declined, nothing charged'],
  withdrawn: ['failed', 'Withdrawn, nothing charged'],
  expired: ['failed', 'Expired, nothing charged'],
};

openSession(AGENT_KEY, withApiKey, async (session) => {
  const { api } = session;
  const first = await api.listOffers({ limit: PAGE });
  if (first.offers.length === 0) return [fromTemplate('no-offers')];
  return inPages<Offers>(first, {
    draw: ({ offers }) => offerTable(session, offers),
    next: (cursor) => api.listOffers({ limit: PAGE, cursor }),
  });
});

function offerTable(session: Session, offers: readonly Offer[]): HTMLElement {
  return table(
    'Offers',
    ['When', 'For what', 'How it stands', 'Until', '#Offered', 'Action'],
    offers.map((offer) => [
      timeOf(offer.createdAt),
      element('a', { href: `/listings/${offer.listingId}` }, titleOf(offer.listingTitle)),
      stateBadge(...STATES[offer.status]),
      timeOf(offer.expiresAt),
      money(offer.amountCents),
      offer.status === 'open' ? withdrawButton(session, offer) : '',
    ]),
  );
}

function withdrawButton(session: Session, { id, amountCents }: Offer): HTMLElement {
  const name = `Withdraw the offer of ${money(amountCents)}`;
  const button = element('button', { type: 'button', class: 'quiet', 'aria-label': name }, 'Withdraw');
  button.addEventListener('click', async () => {
    try {
      await session.api.withdrawOffer({ offerId: id });
      await sayDone(session, 'Your offer is withdrawn. Nothing was charged.');
    } catch (error) {
      button.replaceWith(element('span', { role: 'alert' }, errorText(error)));
    }
  });
  return button;
}
