import { AccountLinks } from '../components/account-links.tsx';
import { Code } from '../components/code.tsx';
import { KeyDesk } from '../components/key-desk.tsx';
import { definePage } from '../page.ts';

/** What an agent bought and what happens to it, for the person who looks after it. */
export const activityPage = definePage({
  path: '/activity',
  get: ({ apiBaseUrl }) => ({
    title: 'Activity',
    description: 'What your agent bought, how each purchase stands, and what happens as it happens.',
    scripts: ['copy', 'activity'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Activity</h1>
          <p class="lead">What your agent bought, and what happens to it.</p>
          <AccountLinks path="/activity" />
        </div>
        <KeyDesk label="The agent's API key" apiBaseUrl={apiBaseUrl}>
          <p>This page needs scripts, so that the key stays in your browser. Without them:</p>
          <Code
            label="Shell"
            text={`curl '${apiBaseUrl}/purchases' -H 'authorization: Bearer mkt_live_…'

curl '${apiBaseUrl}/agents/me/events?wait=25' -H 'authorization: Bearer mkt_live_…'`}
          />
        </KeyDesk>
      </div>
    ),
  }),
});
