// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

import { CHANGE_RULES, CORE, ESCROW_RULES, LEDGER_RULES, type Mutant } from './mutant.ts';

const TIMES: readonly Mutant[] = [
  {
    name: 'escrow-hour-short',
    file: 'sales/escrow/escrow.rules.ts',
    find: 'terms.holdHours * HOUR_MS',
    replace: '(terms.holdHours - 1) * HOUR_MS',
    tests: ESCROW_RULES,
  },
  {
    name: 'shipment-day-short',
    file: 'sales/escrow/escrow.rules.ts',
    find: 'terms.shipDays * DAY_MS',
    replace: '(terms.shipDays - 1) * DAY_MS',
    tests: ESCROW_RULES,
  },
  {
    name: 'collected-until-capture-ends',
    file: 'sales/sale-terms.rules.ts',
    find: 'captureBefore - CAPTURE_MARGIN_MS',
    replace: 'captureBefore',
    tests: [`${CORE}/sales/collect-until.test.ts`],
  },
  {
    name: 'payout-change-hour-short',
    file: 'payouts/payout-change.rules.ts',
    find: 'requestedAt + hours * HOUR_MS',
    replace: 'requestedAt + (hours - 1) * HOUR_MS',
    tests: ['test/abuse/payout-changes.test.ts'],
  },
  {
    name: 'payout-to-present-destination',
    file: 'payouts/payout-change.rules.ts',
    find: 'const former = sum.wasRefused ? null : payableAt(routes, sum.dueAt, chainId);',
    replace: 'const former: Destination | null = null;',
    tests: CHANGE_RULES,
  },
  {
    name: 'disputed-while-clock-runs',
    file: 'sales/disputes.store.ts',
    find: "    stopClock({ id: dispute.purchaseId }),\n    guardOneChange('purchase_held'),\n",
    replace: '',
    tests: ['test/fault/escrow-clock.test.ts'],
  },
];

const AMOUNTS: readonly Mutant[] = [
  {
    name: 'reserve-released-backwards',
    file: 'ledger/ledger.rules.ts',
    find: '[reservedAccount(sale.purchaseId), -sale.amountCents],\n    [sale.payerAccount, sale.amountCents],',
    replace:
      '[reservedAccount(sale.purchaseId), sale.amountCents],\n    [sale.payerAccount, -sale.amountCents],',
    tests: LEDGER_RULES,
  },
  {
    name: 'top-up-backwards',
    file: 'ledger/ledger.rules.ts',
    find: '[CARD_CLEARING_ACCOUNT, -payment.amountCents],\n    [walletAccount(payment.agentId), payment.amountCents],',
    replace:
      '[CARD_CLEARING_ACCOUNT, payment.amountCents],\n    [walletAccount(payment.agentId), -payment.amountCents],',
    tests: LEDGER_RULES,
  },
  {
    name: 'fee-rounded-up',
    file: 'fees/fee-schedule.rules.ts',
    find: 'Math.floor((priceCents * bps) / BPS)',
    replace: 'Math.ceil((priceCents * bps) / BPS)',
    tests: [`${CORE}/fees/fee-schedule.rules.test.ts`],
  },
  {
    name: 'wallet-cap-excluded',
    file: 'wallet/wallet.store.ts',
    find: '- ${refundCreditOf(p.agentId)} >= ${asInteger(p.amountCents)}',
    replace: '- ${refundCreditOf(p.agentId)} > ${asInteger(p.amountCents)}',
    tests: [`${CORE}/wallet/headroom.test.ts`, `${CORE}/wallet/wallet.test.ts`],
  },
  {
    name: 'wallet-cap-without-open-pages',
    file: 'ledger/wallet-room.store.ts',
    find: ' - ${openTopUpsOf(agentId)}\n',
    replace: '\n',
    tests: [`${CORE}/wallet/headroom.test.ts`],
  },
];

/** What is counted, given back or set off once. */
const COUNTS: readonly Mutant[] = [
  {
    name: 'redelivery-once-more',
    file: 'sales/delivery/answers.store.ts',
    find: '${answers.redeliveriesOfDay} < ${MAX_REDELIVERIES_A_DAY}',
    replace: '${answers.redeliveriesOfDay} <= ${MAX_REDELIVERIES_A_DAY}',
    tests: ['test/abuse/one-answer.test.ts'],
  },
  {
    name: 'redeliveries-of-life-uncounted',
    file: 'sales/delivery/answers.store.ts',
    find: '${answers.redeliveries} < ${MAX_REDELIVERIES}\n',
    replace: '1 = 1\n',
    tests: ['test/abuse/one-answer.test.ts'],
  },
  {
    name: 'copies-never-freed',
    file: 'sales/reservations.store.ts',
    find: '    giveUnitBack({ id, listingId }),\n',
    replace: '',
    tests: ['test/abuse/copy-holds.test.ts'],
  },
  {
    name: 'copy-hold-lapse-uncounted',
    file: 'sales/reservation/copy-holds.rules.ts',
    find: 'open.length + recent < MAX_HOLDS',
    replace: 'open.length < MAX_HOLDS',
    tests: [`${CORE}/sales/reservation/copy-holds.rules.test.ts`],
  },
];

export const AMOUNTS_AND_TIMES: readonly Mutant[] = [...TIMES, ...AMOUNTS, ...COUNTS];
