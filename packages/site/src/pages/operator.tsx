import { KeyDesk } from '../components/key-desk.tsx';
import { definePage } from '../page.ts';

/** The operator's console: open decisions and the reconciliation. */
export const operatorPage = definePage({
  path: '/operator',
  get: ({ apiBaseUrl }) => ({
    title: 'Operator',
    description: 'Inquiries, disputes, reconciliation and designations, for whoever runs this marketplace.',
    isPrivate: true,
    scripts: ['operator'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Operator</h1>
          <p class="lead">
            Open decisions, and whether the accounts agree. <a href="/operator/overdue">Overdue money</a> has
            a page of its own, and so have <a href="/operator/moderation">reports and appeals</a> and{' '}
            <a href="/operator/operators">operators and what they did</a>.
          </p>
        </div>
        <KeyDesk label="Your operator secret" apiBaseUrl={apiBaseUrl}>
          <p>
            This page needs scripts, so that the secret stays in your browser. You can also use the operations
            under <code>/admin</code>.
          </p>
        </KeyDesk>
      </div>
    ),
  }),
});
