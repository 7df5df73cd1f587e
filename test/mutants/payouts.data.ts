// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

import { CHANGE_RULES, CORE, type Mutant } from './mutant.ts';

const GUARDS_OF_CHANGES = [`${CORE}/payouts/payout-guards.test.ts`];
const CHANGES = [...CHANGE_RULES, 'test/abuse/payout-changes.test.ts', 'test/fault/payout-changes.test.ts'];

/** Where a seller is paid, and who may change it. */
export const PAYOUTS: readonly Mutant[] = [
  {
    name: 'payout-change-frozen-a-day-less',
    file: 'payouts/payout-change.rules.ts',
    find: 'const FREEZE_MS = 7 * DAY_MS;',
    replace: 'const FREEZE_MS = 6 * DAY_MS;',
    tests: CHANGES,
  },
  {
    name: 'payout-first-at-once-after-cancellation',
    file: 'payouts/payout-change.rules.ts',
    find: ' && !hasDestination && !hasCancelled);',
    replace: ' && !hasDestination);',
    tests: CHANGES,
  },
  {
    name: 'payout-by-link-at-once',
    file: 'payouts/payout-change.rules.ts',
    find: "(requestedBy === 'key' && !hasDestination && !hasCancelled)",
    replace: '(!hasDestination && !hasCancelled)',
    tests: CHANGES,
  },
  {
    name: 'payout-change-cancelled-after-its-time',
    file: 'payouts/payout-changes.store.ts',
    find: 'isNull(payoutChanges.announcedAt),\n        gt(payoutChanges.effectiveAt, p.at),',
    replace: 'isNull(payoutChanges.announcedAt),',
    tests: GUARDS_OF_CHANGES,
  },
  {
    name: 'payout-change-while-another-is-under-way',
    file: 'payouts/payout-changes.store.ts',
    find: 'sql`${exists(obstacle)} OR COALESCE',
    replace: 'sql`COALESCE',
    tests: GUARDS_OF_CHANGES,
  },
  {
    name: 'payout-to-wallet-of-another-chain',
    file: 'payouts/payout-change.rules.ts',
    find: 'if (paid !== null && paid.chainId === chainId)',
    replace: 'if (paid !== null)',
    tests: CHANGES,
  },
  {
    name: 'payout-to-account-that-is-unable',
    file: 'payouts/payout-change.rules.ts',
    find: " || !account?.payoutsEnabled) return null;\n  return { kind: 'account', destination: account.accountId",
    replace: " || !account) return null;\n  return { kind: 'account', destination: account.accountId",
    tests: CHANGES,
  },
  {
    name: 'returned-transfer-under-its-first-key',
    file: 'sales/escrow/return-transfers.ts',
    find: 'endRefusedTransfer(id, refusals + 1)',
    replace: 'endRefusedTransfer(id, refusals)',
    tests: ['test/fault/object-reconciliation.test.ts'],
  },
  {
    name: 'other-answer-shown',
    file: 'sales/delivery/deliver-sale.ts',
    find: "sale.contentDigest === content.digest ? content : { kind: 'changed' };",
    replace: 'content;',
    tests: ['test/fault/two-halves.test.ts'],
  },
  {
    name: 'payouts-connected-without-listings',
    file: 'sales/escrow/settle-account.ts',
    find: '[activatePendingListings(sellerId)]',
    replace: "[{ sql: 'SELECT id FROM listings WHERE 0', params: [] }]",
    tests: [`${CORE}/sales/escrow/settle-account.test.ts`],
  },
  {
    name: 'reserve-of-nothing',
    file: 'sales/escrow/reserve/reserve.rules.ts',
    find: 'outstandingCents + sale.netCents > limitCents',
    replace: 'sale.netCents > limitCents',
    tests: [`${CORE}/sales/escrow/reserve/reserve.rules.test.ts`],
  },
  {
    name: 'borne-gas-sent',
    file: 'sales/escrow/pay-in-usdc.ts',
    find: 'units: BigInt(amountCents - gasCents) * UNITS_PER_CENT,',
    replace: 'units: BigInt(amountCents) * UNITS_PER_CENT,',
    tests: [`${CORE}/sales/escrow/usdc-payouts.test.ts`],
  },
  {
    name: 'borne-gas-unbooked',
    file: 'ledger/ledger.rules.ts',
    find: 'if (batch.gasCents === 0) return null;',
    replace: 'if (batch.gasCents >= 0) return null;',
    tests: [`${CORE}/sales/escrow/usdc-payouts.test.ts`],
  },
];
