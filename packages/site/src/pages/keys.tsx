import { agentPage } from '../components/agent-page.tsx';

/** The API keys of an agent, for the person who gives them out. */
export const keysPage = agentPage({
  path: '/keys',
  title: 'Keys and budgets',
  description: 'See, make, replace and revoke the keys of your agent, and say what each may spend.',
  script: 'keys',
  lead: (
    <>
      One key for each program, for what it does, with what it may spend. All keys lost?{' '}
      <a href="/recover">Recover the account.</a>
    </>
  ),
  requests: [
    { path: '/agents/me/keys' },
    {
      path: '/agents/me/keys',
      body: { label: 'night shift', scopes: ['read', 'buy'], policy: { perMonthCents: 2000 } },
    },
  ],
});
