// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

import { CORE, type Mutant } from './mutant.ts';

const tests = [`${CORE}/x402/queries/query-listing-with-body.test.ts`];

const returns = ['test/fault/x402-returns.test.ts'];

/** What a payment for a query in a body is bound to. */
export const PAID_QUERIES: readonly Mutant[] = [
  {
    name: 'paid-query-header-passed-over',
    file: 'x402/queries/paid-query.ts',
    find: 'headerFields[field] !== undefined && headerFields[field] !== sent[field]',
    replace: 'headerFields[field] === null',
    tests,
  },
  {
    name: 'paid-query-one-header-looked-at',
    file: 'x402/queries/paid-query.ts',
    find: "['payment', 'paymentSignature', 'credential'] as const",
    replace: "['payment', 'credential'] as const",
    tests,
  },
  {
    name: 'mpp-challenge-of-another-body',
    file: 'x402/mpp/mpp-challenge.ts',
    find: "  if (challenge.digest !== (terms.bodyDigest === null ? undefined : bodyDigestOf(terms.bodyDigest)))\n    return 'invalid_challenge';\n",
    replace: '',
    tests,
  },
  {
    name: 'mpp-digest-not-in-its-id',
    file: 'x402/mpp/mpp-challenge.ts',
    find: '${expires}|${digest}|${opaque}',
    replace: '${expires}||${opaque}',
    tests,
  },
  {
    name: 'usdc-above-the-price',
    file: 'x402/terms.rules.ts',
    find: 'return units === price ? null : VALUE_FAULT;',
    replace: 'return units >= price ? null : VALUE_FAULT;',
    tests: ['test/conformance/x402.test.ts'],
  },
  {
    name: 'given-up-sold-for-another-price',
    file: 'x402/query-terms.ts',
    find: '? transferFault(authorization, terms)',
    replace: '? null',
    tests: returns,
  },
  {
    name: 'given-up-asked-for-again',
    file: 'x402/or-pay-back.ts',
    find: 'const trace = await chain.find(authorization);',
    replace: "const trace = { kind: 'void' };",
    tests: returns,
  },
  {
    name: 'brought-to-the-chain-and-forgotten',
    file: 'x402/or-pay-back.ts',
    find: 'isRecorded || (await record(ctx, order, refusal, trace))',
    replace: 'true',
    tests: ['test/fault/brought-payments.long.test.ts'],
  },
  {
    name: 'brought-and-not-deep-enough-forgotten',
    file: 'x402/or-pay-back.ts',
    find: 'definition === settlementErrors.settlement_pending && earlier.length === 0',
    replace: 'false',
    tests: ['test/fault/brought-payments.long.test.ts'],
  },
  {
    name: 'late-copy-from-the-chain-sold',
    file: 'x402/pay-for-query.ts',
    find: '(fault !== null && isBoundByNonce)',
    replace: 'fault !== null',
    tests: ['test/abuse/payer-proof.test.ts'],
  },
  {
    name: 'copy-from-the-chain-sold',
    file: 'x402/pay-for-query.ts',
    find: 'if (isBoundByNonce)\n        return trace',
    replace: 'if (true)\n        return trace',
    tests: ['test/fault/brought-payments.long.test.ts'],
  },
  {
    name: 'counted-late-and-paid-back',
    file: 'sales/rails/usdc/usdc-rail.ts',
    find: "  if (tab.talliedAt === null && tab.chargedMicros > 0) return { kind: 'pending' };\n",
    replace: '',
    tests: ['test/fault/tab-ends.test.ts'],
  },
  {
    name: 'closed-tab-not-due',
    file: 'sales/tabs/tabs.store.ts',
    find: '[close({ id, at }), beDue({ id, at })]',
    replace: '[close({ id, at })]',
    tests: ['test/fault/tab-ends.test.ts'],
  },
  {
    name: 'voucher-retaken-after-a-later-one',
    file: 'sales/tabs/tabs.store.ts',
    find: '        eq(tabs.sequence, asInteger(p.sequence)),\n',
    replace: '',
    tests: ['test/fault/tabs.test.ts'],
  },
];
