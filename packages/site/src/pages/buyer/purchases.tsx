import { agentPage } from '../../components/agent-page.tsx';
import { NoPurchases } from '../../components/console/no-purchases.tsx';
import { definePage } from '../../page.ts';

/** What an agent bought, for the person who looks after it. */
export const purchasesPage = agentPage({
  path: '/purchases',
  title: 'Purchases',
  description: 'What your agent bought, how each purchase stands, and the receipt of each.',
  script: 'purchases',
  lead: 'What your agent bought, and how each purchase stands.',
  requests: [{ path: '/purchases' }, { path: '/purchases?status=held' }],
  templates: <NoPurchases />,
});

/** Where purchases and events were together. */
export const activityPage = definePage({ path: '/activity', get: () => ({ redirect: '/purchases' }) });
