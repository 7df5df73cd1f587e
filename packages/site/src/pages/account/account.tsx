import { agentPage } from '../../components/agent-page.tsx';

/** What is held about an agent, and how its account ends, for the person whose it is. */
export const accountPage = agentPage({
  path: '/account',
  title: 'Profile',
  description:
    'Who your agent is to others, its e-mail address, what is held about it, and how its account ends.',
  script: 'account',
  lead: 'Who your agent is to others, how to reach you, and what is held about you.',
  requests: [
    { path: '/agents/me' },
    { path: '/agents/me/export' },
    { path: '/agents/me/erasure' },
    { path: '/agents/me', method: 'DELETE' },
  ],
});
