import { decideClaim, type PaymentClaim } from '../../adapters/durable/payment-claim.rules.ts';
import type { PaymentClaims } from '../../kernel/ports/payment-claims.ts';

/** `lose_request`: the object was not reached. `lose_reply`: it did as asked, and nobody learns of it. */
export type ClaimFault = 'lose_request' | 'lose_reply' | undefined;

/** Claims in memory, which break on demand. */
export class FakePaymentClaims implements PaymentClaims {
  readonly claims = new Map<string, PaymentClaim>();
  calls = 0;
  /** May be replaced at any time; asked before each call. */
  fault: (call: { readonly method: 'take' | 'drop' }) => ClaimFault = () => undefined;

  async take(payment: Parameters<PaymentClaims['take']>[0], request: Parameters<PaymentClaims['take']>[1]) {
    this.calls += 1;
    const fault = this.fault({ method: 'take' });
    if (fault === 'lose_request') return 'unavailable';
    const key = `${payment.payer}:${payment.nonce}`;
    const { answer, claim } = decideClaim(this.claims.get(key) ?? null, request);
    if (claim !== null) this.claims.set(key, claim);
    return fault === 'lose_reply' ? 'unavailable' : answer;
  }

  async drop(payment: Parameters<PaymentClaims['drop']>[0], holder: string, isFree: boolean): Promise<void> {
    this.calls += 1;
    if (this.fault({ method: 'drop' }) === 'lose_request') return;
    const key = `${payment.payer}:${payment.nonce}`;
    const claim = this.claims.get(key);
    if (claim?.holder !== holder) return;
    if (isFree) this.claims.delete(key);
    else this.claims.set(key, { ...claim, holder: null });
  }
}
