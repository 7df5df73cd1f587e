// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

import { CORE, ESCROW_RULES, type Mutant } from './mutant.ts';

/** Keys and references that change from one try to the next, so that what was done is done again. */
const KEYS_DROPPED: readonly Mutant[] = [
  {
    name: 'charge-key-per-try',
    file: 'sales/rails/card/card-rail.ts',
    find: '`purchase:${id}:authorize`',
    replace: '`purchase:${id}:authorize:${Math.random()}`',
    tests: ['test/fault/broken-purchases.test.ts'],
  },
  {
    name: 'capture-key-per-try',
    file: 'sales/rails/card/card-payments.ts',
    find: '`purchase:${sale.id}:capture`',
    replace: '`purchase:${sale.id}:capture:${Math.random()}`',
    tests: ['test/fault/broken-purchases.test.ts'],
  },
  {
    name: 'refund-key-per-try',
    file: 'sales/sale-terms.rules.ts',
    find: 'const key = `purchase:${purchaseId}:refund`;',
    replace: 'const key = `purchase:${purchaseId}:refund:${Math.random()}`;',
    tests: ['test/fault/refunds-and-disputes.test.ts'],
  },
  {
    name: 'transfer-key-per-try',
    file: 'sales/escrow/escrow.rules.ts',
    find: '? `purchase:${purchaseId}:transfer`',
    replace: '? `purchase:${purchaseId}:transfer:${Math.random()}`',
    tests: ESCROW_RULES,
  },
  {
    name: 'top-up-key-per-try',
    file: 'wallet/settle-top-up.ts',
    find: 'chargeSaved(`top_up:${id}`, terms)',
    replace: 'chargeSaved(`top_up:${id}:${Math.random()}`, terms)',
    tests: ['test/fault/top-ups.test.ts'],
  },
  {
    name: 'payout-reference-per-attempt',
    file: 'sales/escrow/pay-in-usdc.ts',
    find: 'reference: `payout:${id}`,',
    replace: 'reference: `payout:${id}:${attempts}`,',
    tests: ['test/fault/usdc-payouts.test.ts'],
  },
];

/** Money that moves before what it is for. */
const ORDERS_SWAPPED: readonly Mutant[] = [
  {
    name: 'captured-before-delivered',
    file: 'sales/delivery/deliver-sale.ts',
    find: '  const content = await fetchContent(ports, bought, request, ports.clock.now());',
    replace:
      '  if (!terms.capture) await railOf(sale).capture(ports, sale);\n  const content = await fetchContent(ports, bought, request, ports.clock.now());',
    tests: [`${CORE}/sales/rails/card/card-rails.test.ts`],
  },
  {
    name: 'settled-before-delivered',
    file: 'sales/delivery/deliver-sale.ts',
    find: '  const content = await fetchContent(ports, bought, request, ports.clock.now());',
    replace:
      '  await terms.capture?.(sale as DeliveredSale);\n  const content = await fetchContent(ports, bought, request, ports.clock.now());',
    tests: [`${CORE}/x402/queries/query-listing.test.ts`],
  },
];

const STATUSES_UNREAD: readonly Mutant[] = [
  {
    name: 'refunds-of-captured-unread',
    file: 'sales/rails/card/card-payments.ts',
    find: '  if (refundedCents >= capturedCents) return true;\n',
    replace: '',
    tests: ['test/fault/captured-elsewhere.test.ts'],
  },
  {
    name: 'disputes-of-captured-unread',
    file: 'sales/rails/card/card-payments.ts',
    find: '  if (!isDisputed) return false;',
    replace: '  if (isDisputed) return false;',
    tests: ['test/fault/captured-elsewhere.test.ts'],
  },
  {
    name: 'refund-status-unread',
    file: 'sales/rails/card/card-payments.ts',
    find: "status === 'succeeded' ? { kind: 'refunded', refundId } : { kind: status };",
    replace: "{ kind: 'refunded', refundId };",
    tests: ['test/fault/money-taken-back.test.ts'],
  },
  {
    name: 'dispute-open-unread',
    file: 'sales/rails/card/chargeback.rules.ts',
    find: "  if (status === 'open') return { kind: 'wait' };\n",
    replace: '',
    tests: [`${CORE}/sales/rails/card/chargeback.rules.test.ts`],
  },
  {
    name: 'dispute-won-unread',
    file: 'sales/rails/card/chargeback.rules.ts',
    find: "  if (status === 'won') return verdictOnWon(coveredCents, sale);\n",
    replace: '',
    tests: [`${CORE}/sales/rails/card/chargeback.rules.test.ts`],
  },
  {
    name: 'top-up-amount-unread',
    file: 'wallet/wallet.rules.ts',
    find: "      if (capturedCents !== topUp.amountCents) return { kind: 'mismatch' };\n",
    replace: '',
    tests: [`${CORE}/wallet/wallet.rules.test.ts`],
  },
];

export const CALLS: readonly Mutant[] = [...KEYS_DROPPED, ...ORDERS_SWAPPED, ...STATUSES_UNREAD];
