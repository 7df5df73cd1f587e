import { TooExpensiveError } from './errors.ts';

/**
 * A sum that several payments share, also at once. What was signed counts until the marketplace says that it
 * was not charged; a payment that is sent again counts once.
 *
 *     const limit = new SpendingLimit(500);
 *     await payAndQuery(client, listingId, query, account, { maxPriceCents: 20, limit });
 */
export class SpendingLimit {
  readonly #held = new Map<string, number>();
  readonly totalCents: number;

  constructor(totalCents: number) {
    if (!Number.isSafeInteger(totalCents) || totalCents < 0) {
      throw new TypeError('The limit must be a whole number of cents.');
    }
    this.totalCents = totalCents;
  }

  get usedCents(): number {
    return [...this.#held.values()].reduce((sum, cents) => sum + cents, 0);
  }

  /** Never below zero. */
  get remainingCents(): number {
    return Math.max(0, this.totalCents - this.usedCents);
  }

  /**
   * Sets the cents of a payment aside.
   *
   * @param key names the payment: its nonce.
   * @throws TooExpensiveError if they are more than what is left.
   */
  hold(key: string, cents: number): void {
    if (this.#held.has(key)) return;
    // Nothing is awaited between the look and the change, so that no two payments take the same cents.
    if (cents > this.remainingCents) throw new TooExpensiveError(cents, this.remainingCents, 'total');
    this.#held.set(key, cents);
  }

  /** Counts a payment that is out already, such as one signed before a restart, even over the limit. */
  count(key: string, cents: number): void {
    this.#held.set(key, cents);
  }

  /** The payment was not charged, and will not be. */
  giveBack(key: string): void {
    this.#held.delete(key);
  }
}
