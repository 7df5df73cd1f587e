import { operatorDesk } from '../components/desk-page.tsx';

/** Who acts for the marketplace, and what they did. */
export const operatorsPage = operatorDesk({
  path: '/operator/operators',
  title: 'Operators',
  description: 'Who acts for this marketplace, under which role, and what they did.',
  script: 'operators',
  lead: 'Who may do what here, and the signed record of what was done.',
  operations: (
    <>
      <code>GET /admin/operators</code> and <code>GET /admin/audit</code>
    </>
  ),
});
