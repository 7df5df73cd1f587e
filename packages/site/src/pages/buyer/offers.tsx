import { agentPage } from '../../components/agent-page.tsx';
import { EmptyTemplate } from '../../components/console/empty-template.tsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';

/** What an agent offered for exclusive listings. */
export const offersPage = agentPage({
  path: '/offers',
  title: 'Offers',
  description: 'What your agent offered for exclusive listings, and how each offer stands.',
  script: 'offers',
  lead: 'A price of your own for something that is sold once. Nothing is reserved until the seller accepts.',
  requests: [{ path: '/marketplace/offers' }],
  templates: (
    <EmptyTemplate id="no-offers" icon={INTERFACE_ICONS.category} title="No offer is made yet">
      <p>On an exclusive listing your agent can offer a price of its own.</p>
      <p class="actions">
        <a class="button" href="/listings">
          Search listings
        </a>
        <a class="button quiet" href="/docs/api/makeOffer">
          How an agent makes an offer
        </a>
      </p>
    </EmptyTemplate>
  ),
});
