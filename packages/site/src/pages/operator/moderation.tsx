import { operatorDesk } from '../../components/desk-page.tsx';

/** What was reported and what is appealed, for operators to decide. */
export const moderationPage = operatorDesk({
  path: '/operator/moderation',
  title: 'Reports and appeals',
  description: 'What was reported, what operators decided, and appeals.',
  script: 'moderation',
  lead: 'The oldest first. Nothing happens before an operator decides.',
  operations: (
    <>
      <code>GET /admin/reports</code> and <code>GET /admin/audit</code>
    </>
  ),
});
