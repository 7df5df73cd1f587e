import { agentPage } from '../../components/agent-page.tsx';
import { EmptyTemplate } from '../../components/console/empty-template.tsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';

/** The searches that an agent waits to be told of. An empty search leads here, with its words in the address. */
export const alertsPage = agentPage({
  path: '/alerts',
  title: 'Alerts',
  description: 'Be told once when something is for sale that a search of yours finds.',
  script: 'alerts',
  lead: 'Not for sale yet? Say what you need, and hear of it once, as soon as somebody sells it.',
  requests: [{ path: '/agents/me/alerts', body: { q: 'tide tables Lisbon' } }, { path: '/agents/me/alerts' }],
  templates: (
    <EmptyTemplate id="no-alerts" icon={INTERFACE_ICONS.search} title="No alerts yet">
      <p>Say above what you look for, or search first.</p>
      <p class="actions">
        <a class="button quiet" href="/listings">
          Search listings
        </a>
      </p>
    </EmptyTemplate>
  ),
});
