import { operatorDesk } from '../components/desk-page.tsx';

/** The operator's console: open decisions and the reconciliation. */
export const operatorPage = operatorDesk({
  path: '/operator',
  title: 'Operator',
  description: 'Inquiries, disputes, reconciliation and designations, for whoever runs this marketplace.',
  script: 'operator',
  lead: (
    <>
      Open decisions, and whether the accounts agree. <a href="/operator/overdue">Overdue money</a> has a page
      of its own, and so have <a href="/operator/moderation">reports and appeals</a> and{' '}
      <a href="/operator/operators">operators and what they did</a>.
    </>
  ),
  operations: (
    <>
      the operations under <code>/admin</code>
    </>
  ),
});
