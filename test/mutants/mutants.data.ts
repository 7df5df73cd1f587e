// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

/** One line of the code of money, broken. */
export interface Mutant {
  readonly name: string;
  /** In packages/core/src. */
  readonly file: string;
  /** Found there exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Of these at least one test must fail; all pass without the mutant. */
  readonly tests: readonly string[];
}

const CORE = 'packages/core/src';
const GUARDS = [`${CORE}/sales/money-guards.test.ts`];
const ESCROW_RULES = [`${CORE}/sales/escrow/escrow.rules.test.ts`];
const LEDGER_RULES = [`${CORE}/ledger/ledger.rules.test.ts`];
const CHANGE_RULES = [`${CORE}/payouts/payout-change.rules.test.ts`];

/** Guards and conditions that a statement loses. */
const GUARDS_DROPPED: readonly Mutant[] = [
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
    find: '    .where(isUndecided(p)),\n);\n\nconst setShipBy',
    replace: '    .where(eq(payments.purchaseId, p.id)),\n);\n\nconst setShipBy',
    tests: GUARDS,
  },
  {
    name: 'capture-without-guard',
    file: 'sales/reservations.store.ts',
    find: "dueAt: payment.holdUntil ?? shipBy,\n    }),\n    guardOneChange('purchase_authorized'),",
    replace: 'dueAt: payment.holdUntil ?? shipBy,\n    }),',
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
];

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
    tests: ['test/fault/failing-sellers.test.ts'],
  },
  {
    name: 'settled-before-delivered',
    file: 'sales/delivery/deliver-sale.ts',
    find: '  const content = await fetchContent(ports, bought, request, ports.clock.now());',
    replace:
      '  await terms.capture?.(sale as DeliveredSale);\n  const content = await fetchContent(ports, bought, request, ports.clock.now());',
    tests: [`${CORE}/x402/query-listing.test.ts`],
  },
];

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
    name: 'transfer-repeated-after-a-day',
    file: 'sales/escrow/escrow.rules.ts',
    find: '> 23 * HOUR_MS',
    replace: '> 24 * HOUR_MS',
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
    find: "    stopClock({ id: purchaseId }),\n    guardOneChange('purchase_held'),\n",
    replace: '',
    tests: ['test/fault/escrow-clock.test.ts'],
  },
];

const STATUSES_UNREAD: readonly Mutant[] = [
  {
    name: 'refund-status-unread',
    file: 'sales/rails/card/card-payments.ts',
    find: "status === 'succeeded' ? { kind: 'refunded', refundId } : { kind: status };",
    replace: "{ kind: 'refunded', refundId };",
    tests: [`${CORE}/sales/rails/card/chargebacks.test.ts`, `${CORE}/sales/escrow/escrow.test.ts`],
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
    tests: ['test/abuse/redeliveries.test.ts'],
  },
  {
    name: 'redeliveries-of-life-uncounted',
    file: 'sales/delivery/answers.store.ts',
    find: '${answers.redeliveries} < ${MAX_REDELIVERIES}\n',
    replace: '1 = 1\n',
    tests: ['test/abuse/redeliveries.test.ts'],
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
  {
    name: 'payouts-connected-without-listings',
    file: 'sales/escrow/settle-account.ts',
    find: 'activatePendingListings(known.sellerId),\n',
    replace: "{ sql: 'SELECT id FROM listings WHERE 0', params: [] },\n",
    tests: ['test/abuse/payout-changes.test.ts', `${CORE}/selling/register-seller.test.ts`],
  },
];

export const MUTANTS: readonly Mutant[] = [
  ...GUARDS_DROPPED,
  ...KEYS_DROPPED,
  ...ORDERS_SWAPPED,
  ...TIMES,
  ...STATUSES_UNREAD,
  ...AMOUNTS,
  ...COUNTS,
];
