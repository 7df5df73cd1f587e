/** What one client knows: what it asked for, and how that ended as far as it was told. */
export interface Attempt {
  readonly idempotencyKey: string;
  readonly priceCents: number;
  /** `unknown` until the marketplace gave a definite answer. */
  outcome: 'unknown' | 'shown' | 'refused';
  purchaseId: string | null;
}

export interface Client {
  readonly id: string;
  readonly apiKey: string;
  readonly handle: string;
  readonly attempts: Attempt[];
  /** Ids of top-ups whose page was paid. */
  readonly paidTopUps: Set<string>;
  /** Texts of messages that were accepted. */
  readonly sentTexts: string[];
  readonly ratedPurchases: Set<string>;
}
