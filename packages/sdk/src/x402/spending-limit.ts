import { TooExpensiveError } from './errors.ts';

/**
 * A limit that several payments share, also concurrently. A signed payment counts until the marketplace says
 * that it was not charged; a payment that is sent again counts once.
 *
 *     const limit = new SpendingLimit(500);
 *     await payAndQuery(client, listingId, query, account, { maxPriceCents: 20, limit });
 */
export class SpendingLimit {
  readonly #reserved = new Map<string, number>();
  readonly totalCents: number;

  constructor(totalCents: number) {
    if (!Number.isSafeInteger(totalCents) || totalCents < 0) {
      throw new TypeError('The limit must be a whole number of cents.');
    }
    this.totalCents = totalCents;
  }

  get usedCents(): number {
    return [...this.#reserved.values()].reduce((sum, cents) => sum + cents, 0);
  }

  /** Never below zero. */
  get remainingCents(): number {
    return Math.max(0, this.totalCents - this.usedCents);
  }

  /**
   * Reserves the amount of a payment.
   *
   * @param key the payment's nonce.
   * @throws TooExpensiveError if the amount exceeds the rest.
   */
  reserve(key: string, cents: number): void {
    if (this.#reserved.has(key)) return;
    // There is no await between check and change, so that two payments cannot reserve the same cents.
    if (cents > this.remainingCents) throw new TooExpensiveError(cents, this.remainingCents, 'total');
    this.#reserved.set(key, cents);
  }

  /** Adds a payment that was signed before, for example before a restart, even over the limit. */
  add(key: string, cents: number): void {
    this.#reserved.set(key, cents);
  }

  /** Releases a payment that was not charged and will not be. */
  release(key: string): void {
    this.#reserved.delete(key);
  }
}
