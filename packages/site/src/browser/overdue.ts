import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { asOperator, OPERATOR_KEY, openDesk } from './parts/desk.ts';
import { operatorAdjustment } from './parts/operator-adjustment.ts';
import { operatorAudit } from './parts/operator-audit.ts';
import { operatorIdentity } from './parts/operator-list.ts';
import { operatorOverdue } from './parts/operator-overdue.ts';
import { operatorPurchase } from './parts/operator-purchase.ts';

/** Kept while the page is drawn again after each operation. */
let kind = '';

openDesk(OPERATOR_KEY, asOperator(BRAND.header.admin), async (desk) => {
  const [overdue, audit, everybody] = await Promise.all([
    desk.api.listOverdue({ limit: 50, ...(kind === '' ? {} : { kind: kind as never }) }),
    desk.api.listOperatorActions({ limit: 20 }),
    desk.api.listOperators({}),
  ]);
  const filter = {
    kind,
    show(next: string) {
      kind = next;
      return desk.refresh();
    },
  };
  return [
    operatorIdentity(everybody),
    operatorOverdue(desk, overdue, filter),
    operatorPurchase(desk),
    operatorAdjustment(desk),
    operatorAudit(desk, audit),
  ];
});
