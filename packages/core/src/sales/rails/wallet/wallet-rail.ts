import { commonErrors, Refusal } from '../../../kernel/errors.ts';
import { isOverdrawn, post, releaseReserve, reserve, walletAccount } from '../../../ledger/index.ts';
import { railLimits } from '../../../listings/index.ts';
import { findPaymentsOfPurchase, maybeAutoRecharge, walletFunds } from '../../../wallet/index.ts';
import { inLedger } from '../../ledger-sale.rules.ts';
import type { Rail } from '../rail.ts';
import { railDefaults } from '../rail-defaults.ts';

/** Prepaid credits. The ledger is all there is: a posting sets the price aside, another gives it back. */
export const walletRail: Rail<null> = {
  ...railDefaults,
  name: 'wallet',
  limits: (ports) => railLimits('wallet', ports),
  async prepare(_ports, { buyerId }) {
    if (buyerId === null) throw new Refusal(commonErrors.missing_api_key);
    return null;
  },
  covers: async ({ market }, { buyerId, amountCents }) =>
    buyerId !== null && (await walletFunds(market, buyerId)).balanceCents >= amountCents,
  payerAccount(buyerId) {
    if (buyerId === null) throw new Error('A buyer without a key has no wallet.');
    return walletAccount(buyerId);
  },
  reserve: ({ ids }, sale) => [post(reserve(inLedger(sale)), ids.uuid(), sale.createdAt)],
  explainRefused: (error) => (isOverdrawn(error) ? 'overdrawn' : null),
  release: ({ ids }, sale, at) => [post(releaseReserve(inLedger(sale)), ids.uuid(), at)],
  releaseRest: ({ ids }, sale, restCents, at) => [
    post(releaseReserve({ ...inLedger(sale), amountCents: restCents }), ids.uuid(), at),
  ],
  processorPayments: async ({ market }, { id, buyerId }) =>
    buyerId === null ? [] : findPaymentsOfPurchase(market, buyerId, id),
  async afterSale(ports, { buyerId }) {
    if (buyerId !== null) await maybeAutoRecharge(ports, buyerId);
  },
};
