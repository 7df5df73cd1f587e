import type { MoneySeen } from './sale-judgement.ts';

/** The platform's own bank account, from which people pay what neither processor nor chain can pay. */
export class PlatformBank {
  readonly #toBuyers = new Map<string, number>();
  readonly #toSellers = new Map<string, number>();

  pay(purchaseId: string, party: 'buyer' | 'seller', cents: number): void {
    const paid = party === 'buyer' ? this.#toBuyers : this.#toSellers;
    paid.set(purchaseId, (paid.get(purchaseId) ?? 0) + cents);
  }

  seen(purchaseId: string): Pick<MoneySeen, 'refundedCents' | 'payouts'> {
    const toSeller = this.#toSellers.get(purchaseId);
    return {
      refundedCents: this.#toBuyers.get(purchaseId) ?? 0,
      payouts: toSeller === undefined ? [] : [toSeller],
    };
  }
}
