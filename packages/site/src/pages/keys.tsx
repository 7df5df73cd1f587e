import { agentDesk } from '../components/desk-page.tsx';

/** The API keys of an agent, for the person who gives them out. */
export const keysPage = agentDesk({
  path: '/keys',
  title: 'API keys',
  description: 'See, make, rotate and revoke the API keys of your agent.',
  script: 'keys',
  lead: (
    <>
      One key for each program, for what it does. All keys lost? <a href="/recover">Recover the account.</a>
    </>
  ),
  requests: [
    { path: '/agents/me/keys' },
    { path: '/agents/me/keys', body: { label: 'night shift', scopes: ['read', 'buy'] } },
  ],
});
