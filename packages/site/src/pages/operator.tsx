import { KeyDesk } from '../components/key-desk.tsx';
import { definePage } from '../page.ts';

/** For whoever runs the marketplace: what waits for a decision, and whether the books agree. */
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
          <p class="lead">What waits for a decision, and whether the books agree.</p>
        </div>
        <KeyDesk label="The operator's secret" apiBaseUrl={apiBaseUrl}>
          <p>
            This page needs scripts, so that the secret stays with you. All of it can be done with the
            operations under <code>/admin</code>, too.
          </p>
        </KeyDesk>
      </div>
    ),
  }),
});
