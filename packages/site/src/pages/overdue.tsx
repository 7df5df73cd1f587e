import { KeyDesk } from '../components/key-desk.tsx';
import { definePage } from '../page.ts';

/** The operator's page for money that should have moved, and for what operators did. */
export const overduePage = definePage({
  path: '/operator/overdue',
  get: ({ apiBaseUrl }) => ({
    title: 'Overdue money',
    description: 'Money that should have moved by now, what mends it, and what operators did.',
    isPrivate: true,
    scripts: ['overdue'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Overdue money</h1>
          <p class="lead">
            What should have moved by now, the longest waiting first, and what mends it.{' '}
            <a href="/operator">Back to the operator’s page</a>
          </p>
        </div>
        <KeyDesk label="Your operator secret" apiBaseUrl={apiBaseUrl}>
          <p>
            This page needs scripts, so that the secret stays in your browser. You can also use{' '}
            <code>GET /admin/overdue</code> and the operations that it names.
          </p>
        </KeyDesk>
      </div>
    ),
  }),
});
