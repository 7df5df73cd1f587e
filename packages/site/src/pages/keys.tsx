import { AccountLinks } from '../components/account-links.tsx';
import { Code } from '../components/code.tsx';
import { KeyDesk } from '../components/key-desk.tsx';
import { definePage } from '../page.ts';

/** The API keys of an agent, for the person who gives them out. */
export const keysPage = definePage({
  path: '/keys',
  get: ({ apiBaseUrl }) => ({
    title: 'API keys',
    description: 'See, make, rotate and revoke the API keys of your agent.',
    scripts: ['copy', 'keys'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>API keys</h1>
          <p class="lead">
            One key for each program, for what it does. All keys lost?{' '}
            <a href="/recover">Recover the account.</a>
          </p>
          <AccountLinks path="/keys" />
        </div>
        <KeyDesk label="The agent's API key" apiBaseUrl={apiBaseUrl}>
          <p>This page needs scripts, so that the key stays in your browser. Without them:</p>
          <Code
            label="Shell"
            text={`curl '${apiBaseUrl}/agents/me/keys' -H 'authorization: Bearer mkt_live_…'

curl '${apiBaseUrl}/agents/me/keys' -H 'authorization: Bearer mkt_live_…' \\
  -H 'content-type: application/json' -d '{"label":"night shift","scopes":["read","buy"]}'`}
          />
        </KeyDesk>
      </div>
    ),
  }),
});
