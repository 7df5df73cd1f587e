import { KeyDesk } from '../../components/key-desk.tsx';
import { definePage } from '../../page.ts';

/** What was reported and what is appealed, for operators to decide. */
export const moderationPage = definePage({
  path: '/operator/moderation',
  get: ({ apiBaseUrl }) => ({
    title: 'Reports and appeals',
    description: 'What was reported, what operators decided, and appeals.',
    isPrivate: true,
    scripts: ['moderation'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Reports and appeals</h1>
          <p class="lead">
            The oldest first. Nothing happens before an operator decides.{' '}
            <a href="/operator">Back to the operator’s page</a>
          </p>
        </div>
        <KeyDesk label="Your operator secret" apiBaseUrl={apiBaseUrl}>
          <p>
            This page needs scripts, so that the secret stays in your browser. You can also use{' '}
            <code>GET /admin/reports</code> and <code>GET /admin/audit</code>.
          </p>
        </KeyDesk>
      </div>
    ),
  }),
});
