import type { PaymentClaims } from '../../kernel/ports/payment-claims.ts';
import type { PaymentClaimsObject } from './payment-claims.do.ts';

/** Does not retry: on `unavailable` the payer sends the same payment again. */
export function createPaymentClaims(namespace: DurableObjectNamespace<PaymentClaimsObject>): PaymentClaims {
  const objectOf = ({ payer, nonce }: { payer: string; nonce: string }) =>
    namespace.getByName(`${payer}:${nonce}`);
  return {
    async take(payment, request) {
      try {
        return await objectOf(payment).take(request);
      } catch {
        return 'unavailable';
      }
    },
    async drop(payment, holder, isFree) {
      try {
        await objectOf(payment).drop(holder, isFree);
      } catch {
        // The claim expires by itself, a minute after it was taken.
      }
    },
  };
}
