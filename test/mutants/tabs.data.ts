// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

import type { Mutant } from './mutant.ts';

const tests = ['test/fault/tabs.test.ts'];
const slices = ['test/fault/tab-slices.test.ts'];
const ends = ['test/fault/tab-ends.test.ts'];
const metered = ['test/fault/metered-tabs.test.ts'];
const meteredWallet = ['test/fault/metered-wallet.test.ts'];

/** What moves the money of tabs. */
export const TAB_MUTANTS: readonly Mutant[] = [
  {
    name: 'tab-voucher-over-ceiling',
    file: 'sales/tabs/tabs.store.ts',
    find: '        sql`${tabs.chargedMicros} + ${tabs.reservedMicros} + ${asInteger(p.priceMicros)} <= ${ceiling}`,\n',
    replace: '',
    tests,
  },
  {
    name: 'tab-voucher-any-order',
    file: 'sales/tabs/tabs.store.ts',
    find: '        sql`${tabs.sequence} < ${asInteger(p.sequence)}`,\n',
    replace: '',
    tests,
  },
  {
    name: 'tab-voucher-after-closing',
    file: 'sales/tabs/tabs.store.ts',
    find: '        isNull(tabs.closedAt),\n        sql`${tabs.expiresAt} > ${p.now}`,',
    replace: '        sql`${tabs.expiresAt} > ${p.now}`,',
    tests,
  },
  {
    name: 'tab-sold-rounded-down',
    file: 'sales/tabs/tab.rules.ts',
    find: 'Math.ceil((chargedMicros - earlierMicros) / MICROS_PER_CENT)',
    replace: 'Math.floor((chargedMicros - earlierMicros) / MICROS_PER_CENT)',
    tests: slices,
  },
  {
    name: 'tab-rest-of-all',
    file: 'sales/tabs/tab.rules.ts',
    find: 'restCents: limitMicros / MICROS_PER_CENT - amountCents,',
    replace: 'restCents: limitMicros / MICROS_PER_CENT,',
    tests,
  },
  {
    name: 'tab-rest-with-gas',
    file: 'sales/tabs/return-rests.ts',
    find: 'restCents - (gasCents ?? 0)',
    replace: 'restCents',
    tests,
  },
  {
    name: 'tab-shown-before-charged',
    file: 'sales/tabs/answer-tab-query.ts',
    find: '  await chargeOnce(ports, { id, contentDigest: content.digest, receipt, ...used }, noted);\n',
    replace: '',
    tests,
  },
  {
    name: 'tab-priced-at-its-payment',
    file: 'sales/tabs/tabs.store.ts',
    find: '    ...lowerAmount({ id, amountCents }, TALLIED),\n',
    replace: '',
    tests,
  },
  {
    name: 'tab-fee-of-each-slice',
    file: 'sales/rails/usdc/usdc-rail.ts',
    find: 'delivery: { ...delivery, earlier },',
    replace: 'delivery,',
    tests: slices,
  },
  {
    name: 'tab-fee-of-slices-at-once',
    file: 'sales/rails/usdc/usdc-rail.ts',
    find: 'statements: [...statements, requireSlices(slice, earlier)],',
    replace: 'statements,',
    tests: slices,
  },
  {
    name: 'tab-refunded-beside-another-slice',
    file: 'sales/follow-payment.ts',
    find: ' || isOtherSliceRecorded(error)',
    replace: '',
    tests: slices,
  },
  {
    name: 'tab-credit-spent-twice',
    file: 'sales/tabs/tabs.store.ts',
    find: '    spendCredit({ id }),\n',
    replace: '',
    tests: slices,
  },
  {
    name: 'tab-opened-for-ended-sale',
    file: 'sales/tabs/begin-tab.ts',
    find: '    ...extendLease(sale.id, isoTime(now)),\n',
    replace: '',
    tests: ends,
  },
  {
    name: 'tab-below-its-price',
    file: 'x402/tabs/open-tab.ts',
    find: 'amountCents < listing.priceCents',
    replace: 'amountCents < 0',
    tests,
  },
  {
    name: 'tab-given-up-while-settling',
    file: 'sales/rails/usdc/usdc-rail.ts',
    find: "  if (opensTab && !isExpired && isSoon) return { kind: 'pending' };\n",
    replace: '',
    tests: ends,
  },
  {
    name: 'tab-rest-refused-for-good',
    file: 'sales/tabs/tabs.store.ts',
    find: '      returnId: null,\n',
    replace: '',
    tests: ends,
  },
  {
    name: 'unused-tab-with-gas',
    file: 'sales/rails/usdc/usdc-rail.ts',
    find: ' - BigInt(gasCents) * UNITS_PER_CENT',
    replace: '',
    tests,
  },
  {
    name: 'metered-more-units-than-allowed',
    file: 'listings/price/price.rules.ts',
    find: ' || units > maxUnits',
    replace: '',
    tests: metered,
  },
  {
    name: 'metered-shown-without-units',
    file: 'sales/delivery/fetch-content.ts',
    find: 'usedMicrosOf(meter, units) === null',
    replace: 'meter === undefined',
    tests: metered,
  },
  {
    name: 'metered-charged-the-most',
    file: 'sales/tabs/tabs.store.ts',
    find: '      priceMicros: asInteger(p.priceMicros),\n      units',
    replace: '      units',
    tests: metered,
  },
  {
    name: 'metered-reserved-one-unit',
    file: 'sales/tabs/answer-tab-query.ts',
    find: '  const priceMicros = priceMicrosOf(listing);\n',
    replace: '  const priceMicros = listing.meter?.unitPriceMicros ?? priceMicrosOf(listing);\n',
    tests: metered,
  },
  {
    name: 'metered-rails-of-one-price',
    file: 'sales/payment-method.ts',
    find: 'rails.filter(({ releaseRest }) => releaseRest !== null)',
    replace: 'rails',
    tests: metered,
  },
  {
    name: 'metered-wallet-charged-the-most',
    file: 'sales/delivery/used-units.rules.ts',
    find: '  return { ...sale, amountCents: centsAbove(micros) };\n',
    replace: '  return sale;\n',
    tests: meteredWallet,
  },
  {
    name: 'metered-wallet-rest-kept',
    file: 'sales/delivery/record-sale.ts',
    find: ', ...release(ports, sale, restCents, sale.deliveredAt)',
    replace: '',
    tests: meteredWallet,
  },
  {
    name: 'metered-wallet-fee-of-each-slice',
    file: 'sales/delivery/record-sale.ts',
    find: '{ ...facts, earlier }',
    replace: 'facts',
    tests: meteredWallet,
  },
  {
    name: 'metered-wallet-fee-of-slices-at-once',
    file: 'sales/delivery/record-sale.ts',
    find: '[...captured, requireSlices(slice, earlier)]',
    replace: 'captured',
    tests: meteredWallet,
  },
  {
    name: 'lowered-sale-with-fee-of-the-most',
    file: 'sales/reservations.store.ts',
    find: '      platformFeeCents: sql`MIN(${purchases.platformFeeCents}, ${asInteger(p.amountCents)})`,\n',
    replace: '',
    tests: slices,
  },
  {
    name: 'metered-over-x402',
    file: 'listings/state/x402-offer.rules.ts',
    find: "  if (listing.meter !== null) return 'metered';\n",
    replace: '',
    tests: metered,
  },
];
