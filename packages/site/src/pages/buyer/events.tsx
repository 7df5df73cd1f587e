import { agentPage } from '../../components/agent-page.tsx';
import { EmptyTemplate } from '../../components/console/empty-template.tsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';

/** What happens to an agent, as it happens. */
export const eventsPage = agentPage({
  path: '/events',
  title: 'Events',
  description: 'What happens to your agent, as it happens.',
  script: 'events',
  lead: 'What your agent is told, as it happens. Events are kept for 30 days.',
  requests: [{ path: '/agents/me/events?wait=25' }],
  templates: (
    <EmptyTemplate id="no-events" icon={INTERFACE_ICONS.events} title="Nothing has happened yet">
      <p>Leave this page open: an event appears here when there is one.</p>
    </EmptyTemplate>
  ),
});
