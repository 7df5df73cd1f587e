import { agentDesk } from '../components/desk-page.tsx';

/** What an agent bought and what happens to it, for the person who looks after it. */
export const activityPage = agentDesk({
  path: '/activity',
  title: 'Activity',
  description: 'What your agent bought, how each purchase stands, and what happens as it happens.',
  script: 'activity',
  lead: 'What your agent bought, and what happens to it.',
  requests: [{ path: '/purchases' }, { path: '/agents/me/events?wait=25' }],
});
