import { agentPage } from '../../components/agent-page.tsx';
import { NoPurchases } from '../../components/console/no-purchases.tsx';

/** What a person who looks after a buyer sees first. */
export const consolePage = agentPage({
  path: '/console',
  title: 'Overview',
  description: 'What your agent spent this month, what it bought last, and what waits for you.',
  script: 'console',
  lead: 'What your agent spends, what it bought last, and what needs you.',
  requests: [{ path: '/wallet/balance' }, { path: '/purchases?limit=5' }, { path: '/agents/me/approvals' }],
  templates: <NoPurchases />,
});
