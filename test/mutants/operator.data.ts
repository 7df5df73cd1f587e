// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

import { CORE, GUARDS, type Mutant } from './mutant.ts';

const RETRY_RULES = [`${CORE}/sales/escrow/retry.rules.test.ts`];
const UNDECIDED = ['packages/core/src/sales/escrow/undecided-disputes.test.ts'];
const OVERDUE = [`${CORE}/admin/overdue/overdue.test.ts`];
const PAID_ELSEWHERE = [`${CORE}/admin/mark-paid-elsewhere.test.ts`];
const DECLARATIONS = ['test/abuse/health-declarations.test.ts'];
const ADJUSTMENTS = ['test/fault/object-reconciliation.test.ts'];

/** What an operator does: holds, refunds without a dispute, adjustments, and declarations that are put before it. */
export const OPERATOR: readonly Mutant[] = [
  {
    name: 'copy-of-changed-rows-without-their-numbers',
    file: 'backups/backup-sql.rules.ts',
    find: '  return `SELECT ${namedColumns(columns)} FROM ${quoted(name)} WHERE',
    replace: '  return `SELECT ${listOf(columns)} FROM ${quoted(name)} WHERE',
    tests: ['test/fault/restored-rows.node.test.ts'],
  },
  {
    name: 'hold-of-what-is-not-in-escrow',
    file: 'sales/escrow/holds.store.ts',
    find: "return [hold({ id, at }), guardOneChange('purchase_held')];",
    replace: 'return [hold({ id, at })];',
    tests: OVERDUE,
  },
  {
    name: 'hold-lifted-twice',
    file: 'sales/escrow/holds.store.ts',
    find: "return [lift({ id, at }), guardOneChange('operator_hold')];",
    replace: 'return [lift({ id, at })];',
    tests: OVERDUE,
  },
  {
    name: 'transfer-of-what-is-on-hold',
    file: 'sales/escrow/escrow.store.ts',
    find: '          not(isHeldByOperator(p.id)),\n          fitsUnder(p),',
    replace: '          fitsUnder(p),',
    tests: GUARDS,
  },
  {
    name: 'transfer-above-the-reserve-limit',
    file: 'sales/escrow/escrow.store.ts',
    find: '          not(isHeldByOperator(p.id)),\n          fitsUnder(p),',
    replace: '          not(isHeldByOperator(p.id)),',
    tests: GUARDS,
  },
  {
    name: 'retry-of-what-is-on-hold',
    file: 'sales/escrow/retry.rules.ts',
    find: ' || operatorHold?.liftedAt === null) return false;',
    replace: ') return false;',
    tests: RETRY_RULES,
  },
  {
    name: 'retry-before-escrow-ends',
    file: 'sales/escrow/retry.rules.ts',
    find: ' && endsAt <= at;',
    replace: ';',
    tests: RETRY_RULES,
  },
  {
    name: 'no-retry-of-what-is-not-shipped',
    file: 'sales/escrow/retry.rules.ts',
    find: ' ?? sale.shipment?.shipBy',
    replace: '',
    tests: RETRY_RULES,
  },
  {
    name: 'refund-leaves-hold',
    file: 'admin/refund-purchase.ts',
    find: '            liftHold(purchaseId, at),\n',
    replace: '',
    tests: OVERDUE,
  },
  {
    name: 'refund-leaves-dispute',
    file: 'admin/refund-purchase.ts',
    find: "            closeDispute(purchaseId, 'refund', 'operator', at),\n",
    replace: '',
    tests: OVERDUE,
  },
  {
    name: 'rule-decides-what-a-bank-looks-into',
    file: 'sales/disputes.store.ts',
    find: '    not(isChargedBack(disputes.purchaseId)),\n',
    replace: '',
    tests: UNDECIDED,
  },
  {
    name: 'rule-decides-what-is-on-hold',
    file: 'sales/disputes.store.ts',
    find: '    not(isHeldByOperator(disputes.purchaseId)),\n',
    replace: '',
    tests: UNDECIDED,
  },
  {
    name: 'rule-is-never-past',
    file: 'sales/disputes.store.ts',
    find: 'lte(disputes.decideBy, p.at)',
    replace: 'lte(disputes.openedAt, p.at)',
    tests: UNDECIDED,
  },
  {
    name: 'failed-refund-decided-by-rule',
    file: 'sales/disputes.store.ts',
    find: 'decidedBy: null, decideBy: null },',
    replace: 'decidedBy: null },',
    tests: UNDECIDED,
  },
  {
    name: 'paid-elsewhere-twice-to-different-parties',
    file: 'admin/mark-paid-elsewhere.ts',
    find: '      if (recorded.party !== party) throw new Refusal(adminErrors.paid_elsewhere_differs);\n',
    replace: '',
    tests: PAID_ELSEWHERE,
  },
  {
    name: 'paid-elsewhere-while-a-bank-decides',
    file: 'admin/mark-paid-elsewhere.ts',
    find: 'if (!isPaid || isDisputedAtBank) throw',
    replace: 'if (!isPaid) throw',
    tests: PAID_ELSEWHERE,
  },
  {
    name: 'overdue-without-grace',
    file: 'admin/overdue/find-overdue.ts',
    find: 'until: isoTime(now - GRACE_MS),',
    replace: 'until: isoTime(now),',
    tests: OVERDUE,
  },
  {
    name: 'overdue-hold-unread',
    file: 'admin/overdue/overdue.rules.ts',
    find: "      if (facts.isOnHold) return 'sale_on_hold';\n",
    replace: '',
    tests: OVERDUE,
  },
  {
    name: 'adjustment-backwards',
    file: 'ledger/outside/adjust-ledger.ts',
    find: '{ into: input.account, from: other, amountCents }',
    replace: '{ into: other, from: input.account, amountCents }',
    tests: ADJUSTMENTS,
  },
  {
    name: 'adjustment-of-another-amount-repeated',
    file: 'ledger/outside/adjust-ledger.ts',
    find: 'known.amountCents === amountCents && ',
    replace: '',
    tests: ADJUSTMENTS,
  },
  {
    name: 'declaration-reviewed-twice',
    file: 'listings/personal-health/health-declarations.store.ts',
    find: 'and(eq(healthDeclarations.id, p.id), eq(healthDeclarations.status, p.before))',
    replace: 'eq(healthDeclarations.id, p.id)',
    tests: DECLARATIONS,
  },
  {
    name: 'declaration-rejection-unread',
    file: 'listings/personal-health/health-declarations.store.ts',
    find: "eq(healthDeclarations.status, 'rejected')",
    replace: "eq(healthDeclarations.status, 'open')",
    tests: DECLARATIONS,
  },
];
