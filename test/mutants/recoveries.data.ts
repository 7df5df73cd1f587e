// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is replaced is source, with the templates in it.

import type { Mutant } from './mutant.ts';

const RECOVERIES = ['test/fault/claim-recoveries.test.ts'];

/** What is taken back from sellers for what banks took, and settled with them by hand. */
export const CLAIM_RECOVERIES: readonly Mutant[] = [
  {
    name: 'claim-beside-another',
    file: 'sales/rails/card/claim-on-seller.ts',
    find: '    requireClaims(purchaseId, disputeId, claims),\n',
    replace: '',
    tests: RECOVERIES,
  },
  {
    name: 'recovery-key-per-try',
    file: 'sales/escrow/reserve/recover-claims.ts',
    find: 'cards.reverseTransfer(`claim:${reference}`,',
    replace: 'cards.reverseTransfer(`claim:${reference}:${ids.uuid()}`,',
    tests: RECOVERIES,
  },
  {
    name: 'recovery-not-looked-after',
    file: 'sales/escrow/reserve/recover-claims.ts',
    find: '  for (const begun of await listRecoveriesUnderWay(market, BATCH)) await tryRecover(asking, begun);\n',
    replace: '',
    tests: RECOVERIES,
  },
  {
    name: 'recovery-not-posted',
    file: 'sales/escrow/reserve/recover-claims.ts',
    find: '      ...recoverClaim(reference, sale.sellerId, cents).map((one) => post(one, ids.uuid(), at)),\n',
    replace: '',
    tests: RECOVERIES,
  },
  {
    name: 'recovery-ended-twice',
    file: 'sales/escrow/reserve/claim-recoveries.store.ts',
    find: 'return [end({ disputeId, number, ...answer, at }), guardOneChange(UNDER_WAY)];',
    replace: 'return [end({ disputeId, number, ...answer, at })];',
    tests: RECOVERIES,
  },
  {
    name: 'recovery-of-the-whole-claim-again',
    file: 'sales/escrow/reserve/claim-recoveries.store.ts',
    find: 'MIN(${sellerClaims.claimCents} - ${sellerClaims.withheldCents},',
    replace: 'MIN(${sellerClaims.claimCents},',
    tests: RECOVERIES,
  },
  {
    name: 'recovery-above-what-was-sent',
    file: 'sales/escrow/reserve/claim-recoveries.store.ts',
    find: '  ${payments.transferredCents} - ${REVERSED_CENTS})`;',
    replace: '  9000000000)`;',
    tests: RECOVERIES,
  },
  {
    name: 'recovered-transfer-returned-to-escrow',
    file: 'sales/escrow/returned-transfers.store.ts',
    find: ' - MAX(${RECOVERED_CENTS}) >= MAX(',
    replace: ' >= MAX(',
    tests: RECOVERIES,
  },
  {
    name: 'refused-recovery-asked-at-once',
    file: 'sales/escrow/reserve/recover-claims.ts',
    find: 'awaitRecovery(disputeId, isoTime(clock.now() + RETRY_MS)),',
    replace: 'awaitRecovery(disputeId, isoTime(clock.now() - RETRY_MS)),',
    tests: RECOVERIES,
  },
  {
    name: 'claim-settled-backwards',
    file: 'ledger/ledger.rules.ts',
    find: 'const movement = { into: account, from: escrowAccount(sellerId), amountCents };',
    replace: 'const movement = { into: escrowAccount(sellerId), from: account, amountCents };',
    tests: RECOVERIES,
  },
];
