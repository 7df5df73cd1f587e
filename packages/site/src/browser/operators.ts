import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { asOperator, OPERATOR_KEY, openDesk } from './parts/desk.ts';
import { operatorAudit } from './parts/operator-audit.ts';
import { operatorIdentity, operatorList, ownSecret } from './parts/operator-list.ts';

type Filter = Pick<
  Operations['listOperatorActions']['input'],
  'operator' | 'subjectType' | 'subjectId' | 'from' | 'until'
>;

/** Kept while the page is drawn again. */
let filter: Filter = {};

openDesk(OPERATOR_KEY, asOperator(BRAND.header.admin), async (desk) => {
  const [everybody, audit] = await Promise.all([
    desk.api.listOperators({}),
    desk.api.listOperatorActions({ limit: 20, ...filter }),
  ]);
  const filtered = {
    values: filter,
    show(next: Filter) {
      filter = next;
      return desk.refresh();
    },
  };
  return [
    operatorIdentity(everybody),
    ownSecret(desk, everybody),
    operatorList(desk, everybody),
    operatorAudit(desk, audit, filtered),
  ];
});
