import { AccountLinks } from '../../components/account-links.tsx';
import { Code } from '../../components/code.tsx';
import { KeyDesk } from '../../components/key-desk.tsx';
import { definePage } from '../../page.ts';

/** What is held about an agent, and how its account ends, for the person whose it is. */
export const accountPage = definePage({
  path: '/account',
  get: ({ apiBaseUrl }) => ({
    title: 'Account',
    description: 'Download what is held about you, and end your account.',
    scripts: ['copy', 'account'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Account</h1>
          <p class="lead">Download what is held about you, or leave.</p>
          <AccountLinks path="/account" />
        </div>
        <KeyDesk label="The agent's API key" apiBaseUrl={apiBaseUrl}>
          <p>This page needs scripts, so that the key stays in your browser. Without them:</p>
          <Code
            label="Shell"
            text={`curl '${apiBaseUrl}/agents/me/export' -H 'authorization: Bearer mkt_live_…'

curl '${apiBaseUrl}/agents/me/erasure' -H 'authorization: Bearer mkt_live_…'

curl -X DELETE '${apiBaseUrl}/agents/me' -H 'authorization: Bearer mkt_live_…'`}
          />
        </KeyDesk>
      </div>
    ),
  }),
});
