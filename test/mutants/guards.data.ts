// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

import { GUARDS, type Mutant } from './mutant.ts';

/** Guards and conditions that a statement loses. */
export const GUARDS_DROPPED: readonly Mutant[] = [
  {
    name: 'transfer-without-due-guard',
    file: 'sales/escrow/escrow.store.ts',
    find: "    guardOneChange('purchase_due'),\n",
    replace: '',
    tests: GUARDS,
  },
  {
    name: 'transfer-during-refund',
    file: 'sales/escrow/escrow.store.ts',
    find: 'lte(payments.holdUntil, p.at),\n          isNull(payments.refundRequestedAt),',
    replace: 'lte(payments.holdUntil, p.at),',
    tests: GUARDS,
  },
  {
    name: 'transfer-begun-twice',
    file: 'sales/escrow/escrow.store.ts',
    find: "...moveSale(id, 'held', 'releasing'),",
    replace: "...moveSale(id, 'held', 'releasing').slice(0, 1),",
    tests: GUARDS,
  },
  {
    name: 'capture-of-decided-sale',
    file: 'sales/reservations.store.ts',
    find: '.where(and(isUndecided(p), sql`',
    replace: '.where(and(eq(payments.purchaseId, p.id), sql`',
    tests: GUARDS,
  },
  {
    name: 'capture-without-guard',
    file: 'sales/reservations.store.ts',
    find: "setAsideAt: payment.setAsideAt,\n    }),\n    guardOneChange('purchase_authorized'),",
    replace: 'setAsideAt: payment.setAsideAt,\n    }),',
    tests: GUARDS,
  },
  {
    name: 'capture-recorded-twice',
    file: 'sales/reservations.store.ts',
    find: "and(eq(purchases.id, p.id), eq(purchases.status, 'authorized'))",
    replace: 'eq(purchases.id, p.id)',
    tests: GUARDS,
  },
  {
    name: 'status-move-without-guard',
    file: 'sales/sales.store.ts',
    find: 'return [setStatus({ id, from, to }), guardOneChange(`purchase_${from}`)];',
    replace: 'return [setStatus({ id, from, to })];',
    tests: GUARDS,
  },
  {
    name: 'refund-of-released-sale',
    file: 'sales/escrow/escrow.store.ts',
    find: "return [noteRefund({ id, reason, at }), guardOneChange('purchase_held')];",
    replace: 'return [noteRefund({ id, reason, at })];',
    tests: GUARDS,
  },
  {
    name: 'cancelled-while-authorised',
    file: 'sales/rails/card/card-payments.ts',
    find: "  if (payment.status === 'authorized') throw new CardProcessorError('still authorized', true);\n",
    replace: '',
    tests: GUARDS,
  },
  {
    name: 'lease-without-guard',
    file: 'sales/reservations.store.ts',
    find: "return [lease({ id, now, until, failures }), guardOneChange('purchase_unleased')];",
    replace: 'return [lease({ id, now, until, failures })];',
    tests: GUARDS,
  },
  {
    name: 'payer-proof-spent-twice',
    file: 'sales/rails/usdc/usdc-payments.store.ts',
    find: 'return [setProved({ purchaseId, issuedAt }), guardOneChange(PROOF_UNSPENT)];',
    replace: 'return [setProved({ purchaseId, issuedAt })];',
    tests: ['test/abuse/payer-proof.test.ts'],
  },
  {
    name: 'limit-not-held-by-the-database',
    file: 'sales/escrow/reserve/reserve.store.ts',
    find: ' <= ${asInteger(p.limitCents)}`',
    replace: ' <= 9000000000000000`',
    tests: GUARDS,
  },
];
