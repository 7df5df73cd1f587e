import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { asOperator, OPERATOR_KEY, openDesk } from './parts/desk.ts';
import { operatorAudit } from './parts/operator-audit.ts';
import { type CaseFilter, listCases, operatorCases } from './parts/operator-cases.ts';
import { operatorIdentity } from './parts/operator-list.ts';

/** Kept while the page is drawn again after each decision. */
let filter: CaseFilter = { state: 'open', subjectType: '' };

openDesk(OPERATOR_KEY, asOperator(BRAND.header.admin), async (desk) => {
  const [cases, audit, everybody] = await Promise.all([
    listCases(desk, filter),
    desk.api.listOperatorActions({ limit: 20, subjectType: 'moderation_case' }),
    desk.api.listOperators({}),
  ]);
  const show = (next: CaseFilter) => {
    filter = next;
    return desk.refresh();
  };
  return [
    operatorIdentity(everybody),
    operatorCases(desk, cases, { filter, show }),
    operatorAudit(desk, audit, { values: { subjectType: 'moderation_case' }, show: () => desk.refresh() }),
  ];
});
