import { KeyDesk } from '../components/key-desk.tsx';
import { definePage } from '../page.ts';

/** Who acts for the marketplace, and what they did. */
export const operatorsPage = definePage({
  path: '/operator/operators',
  get: ({ apiBaseUrl }) => ({
    title: 'Operators',
    description: 'Who acts for this marketplace, under which role, and what they did.',
    isPrivate: true,
    scripts: ['operators'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Operators</h1>
          <p class="lead">
            Who may do what here, and the signed record of what was done.{' '}
            <a href="/operator">Back to the operator’s page</a>
          </p>
        </div>
        <KeyDesk label="Your operator secret" apiBaseUrl={apiBaseUrl}>
          <p>
            This page needs scripts, so that the secret stays in your browser. You can also use{' '}
            <code>GET /admin/operators</code> and <code>GET /admin/audit</code>.
          </p>
        </KeyDesk>
      </div>
    ),
  }),
});
