import { agentDesk } from '../../components/desk-page.tsx';

/** What is held about an agent, and how its account ends, for the person whose it is. */
export const accountPage = agentDesk({
  path: '/account',
  title: 'Account',
  description: 'Download what is held about you, and end your account.',
  script: 'account',
  lead: 'Download what is held about you, or leave.',
  requests: [
    { path: '/agents/me/export' },
    { path: '/agents/me/erasure' },
    { path: '/agents/me', method: 'DELETE' },
  ],
});
