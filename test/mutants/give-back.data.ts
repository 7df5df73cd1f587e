import type { Mutant } from './mutant.ts';

const WITHHELD = ['test/fault/withheld-payouts.test.ts'];
const TOTALS = ['packages/core/src/statements/statement.rules.test.ts'];
const RECOVERIES = ['test/fault/claim-recoveries.test.ts'];

/** What banks give back of sales that were paid out with less, and how statements add up. */
export const GIVE_BACK: readonly Mutant[] = [
  {
    name: 'claim-without-what-was-borne',
    file: 'sales/rails/card/chargeback.rules.ts',
    find: 'return { claimCents: borneCents + netCents, borneCents };',
    replace: 'return { claimCents: borneCents, borneCents };',
    tests: ['packages/core/src/sales/rails/card/chargeback.rules.test.ts'],
  },
  {
    name: 'claim-without-what-other-disputes-bear',
    file: 'sales/rails/card/chargeback.rules.ts',
    find: 'Math.max(0, sale.withheldCents) - others.claimedCents;',
    replace: 'Math.max(0, sale.withheldCents);',
    tests: ['packages/core/src/sales/rails/card/chargeback.rules.test.ts'],
  },
  {
    name: 'paid-out-sale-not-given-back',
    file: 'sales/rails/card/share-chargeback.ts',
    find: "if (takenCents > 0 && sale.status === 'released')\n",
    replace: "if (takenCents > 0 && sale.status === 'releasing')\n",
    tests: WITHHELD,
  },
  {
    name: 'given-back-twice',
    file: 'sales/rails/card/share-chargeback.ts',
    find: '    if (await isGivenBack(ports, share)) continue;\n',
    replace: '',
    tests: WITHHELD,
  },
  {
    name: 'given-back-and-lost-anew-not-claimed',
    file: 'sales/rails/card/share-chargeback.ts',
    find: "if (status === 'lost' && (await isGivenBack(ports, share)))",
    replace: "if (status === 'open' && (await isGivenBack(ports, share)))",
    tests: WITHHELD,
  },
  {
    name: 'borne-cents-not-counted-as-withheld',
    file: 'sales/escrow/reserve/seller-claims.store.ts',
    find: 'withheldCents: asInteger(p.borneCents),',
    replace: 'withheldCents: asInteger(0),',
    tests: WITHHELD,
  },
  {
    name: 'adjustments-without-their-fees',
    file: 'statements/statement.rules.ts',
    find: "sum('chargeback', gross),",
    replace: "sum('chargeback', (one) => one.amountCents),",
    tests: TOTALS,
  },
  {
    name: 'payouts-whole-though-reversed',
    file: 'statements/statement.rules.ts',
    find: " - sum('reversal', gross)",
    replace: '',
    tests: TOTALS,
  },
  {
    name: 'failed-refund-counted',
    file: 'statements/statement.rules.ts',
    find: '(isRestored ? -count : count)',
    replace: 'count',
    tests: TOTALS,
  },
  {
    name: 'recovered-claim-stays-in-escrow',
    file: 'ledger/ledger.rules.ts',
    find: 'return [recovered, bearClaim(reference, sellerId, amountCents)];',
    replace: 'return [recovered];',
    tests: RECOVERIES,
  },
];
