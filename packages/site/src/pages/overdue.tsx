import { operatorDesk } from '../components/desk-page.tsx';

/** The operator's page for money that should have moved, and for what operators did. */
export const overduePage = operatorDesk({
  path: '/operator/overdue',
  title: 'Overdue money',
  description: 'Money that should have moved by now, what mends it, and what operators did.',
  script: 'overdue',
  lead: 'What should have moved by now, the longest waiting first, and what mends it.',
  operations: (
    <>
      <code>GET /admin/overdue</code> and the operations that it names
    </>
  ),
});
