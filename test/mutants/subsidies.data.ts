import { CORE, type Mutant } from './mutant.ts';

const RULES = [`${CORE}/subsidies/subsidy.rules.test.ts`];
const SHARE = ['test/abuse/buyers-share.test.ts'];

/** What the platform bears of payments that cost more than their fee. */
export const SUBSIDIES: readonly Mutant[] = [
  {
    name: 'payer-without-share',
    file: 'subsidies/subsidy.rules.ts',
    find: '      ...pairScopes(budget, parties).map((scope) => ({ scope, time, limitCents: share, period })),\n',
    replace: '',
    tests: RULES,
  },
  {
    name: 'share-below-one-sale',
    file: 'subsidies/subsidy.rules.ts',
    find: 'Math.max(Math.floor((ofParty * terms.buyerShareBps) / BPS), cents)',
    replace: 'Math.floor((ofParty * terms.buyerShareBps) / BPS)',
    tests: RULES,
  },
  {
    name: 'share-not-counted',
    file: 'subsidies/subsidy.rules.ts',
    find: '[budget, ...partyScopes(budget, parties), ...pairScopes(budget, parties)]',
    replace: '[budget, ...partyScopes(budget, parties)]',
    tests: SHARE,
  },
  {
    name: 'subsidy-without-room',
    file: 'subsidies/take-subsidy.ts',
    find: 'return [requireRoomIn(limits, expense.cents)];',
    replace: 'return [];',
    tests: SHARE,
  },
  {
    name: 'subsidy-not-given-back',
    file: 'subsidies/take-subsidy.ts',
    find: 'return amountCents === 0 ? [] : [deleteSubsidies(id)];',
    replace: 'return [];',
    tests: ['test/abuse/subsidies.test.ts'],
  },
  {
    name: 'closed-rails-without-own-budget',
    file: 'subsidies/closed-rails.ts',
    find: 'new Map([...spent, ...own.spent])',
    replace: 'spent',
    tests: SHARE,
  },
];
