import { CORE, type Mutant } from './mutant.ts';

const READ = ['test/fault/read-before-payout.test.ts'];
const WITHHELD = ['test/fault/withheld-payouts.test.ts'];
const ON_CHAIN = [`${CORE}/sales/escrow/usdc-payouts.test.ts`];

/** What is read before a seller is paid, and what it bears of what banks took. */
export const BEFORE_PAYOUTS: readonly Mutant[] = [
  {
    name: 'payout-while-a-refund-is-pending',
    file: 'sales/escrow/advance-escrow.ts',
    find: 'else if (settled.hasPendingRefund) await waitForRefund(ports, sale);',
    replace: '',
    tests: READ,
  },
  {
    name: 'payout-to-wallet-while-a-refund-is-pending',
    file: 'sales/escrow/gather-payouts.ts',
    find: '!isDue || hasPendingRefund || sale',
    replace: '!isDue || sale',
    tests: READ,
  },
  {
    name: 'disputes-of-a-payment-unread',
    file: 'sales/rails/card/settle-chargeback.ts',
    find: 'for (const disputeId of payment.disputeIds) await settleChargeback(ports, disputeId);',
    replace: '',
    tests: READ,
  },
  {
    name: 'top-ups-behind-credits-unread',
    file: 'sales/rails/wallet/wallet-rail.ts',
    find: 'buyerId === null ? [] : findPaymentsOfPurchase(market, buyerId, id)',
    replace: 'buyerId === null ? [] : findPaymentsOfPurchase(market, buyerId, id).then(() => [])',
    tests: READ,
  },
  {
    name: 'unread-sales-paid-each-by-itself',
    file: 'sales/escrow/gather-payouts.ts',
    find: 'for (const seen of [...sales.map(({ seen }) => seen), ...unread]) paidInUsdc.add(seen);',
    replace: 'for (const { seen } of sales) paidInUsdc.add(seen);',
    tests: ['test/fault/usdc-payouts.test.ts', ...ON_CHAIN],
  },
  {
    name: 'nothing-withheld',
    file: 'sales/escrow/reserve/withholding.rules.ts',
    find: 'if (cents !== 0) withholdings.push({ disputeId, cents });',
    replace: '',
    tests: WITHHELD,
  },
  {
    name: 'withheld-of-a-refused-payout',
    file: 'sales/escrow/escrow.store.ts',
    find: '    undoWithholdings(id),\n',
    replace: '',
    tests: WITHHELD,
  },
  {
    name: 'share-beside-another',
    file: 'sales/rails/card/share-chargeback.ts',
    find: '    requireClaims(purchaseId, disputeId, claims),\n',
    replace: '',
    tests: WITHHELD,
  },
  {
    name: 'finance-refunds-withheld',
    file: 'sales/rails/card/claim-on-seller.ts',
    find: 'return isReturn(disputeId) ? Math.min(takenCents, coveredCents) : takenCents;',
    replace: 'return takenCents;',
    tests: WITHHELD,
  },
  {
    name: 'claim-of-the-fee-too',
    file: 'sales/rails/card/chargeback.rules.ts',
    find: 'const { netCents } = partOfSale(taken, takenCents - coveredCents);',
    replace: 'const netCents = takenCents - coveredCents;',
    tests: [`${CORE}/sales/rails/card/chargeback.rules.test.ts`],
  },
  {
    name: 'whole-withholding-kept-in-escrow',
    file: 'sales/escrow/reserve/keep-reserve.ts',
    find: '      else await releaseWithheld(ports, one, at);\n',
    replace: '',
    tests: WITHHELD,
  },
];
