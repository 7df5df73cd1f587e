/** How much of what payments cost the platform bears beyond its fee. In cents, by UTC day and month. */
export interface SubsidyBudget {
  /** For the sales and purchases of one key, and the payments of one card or account on chain; 0: nothing is borne. */
  readonly partyDayCents: number;
  readonly partyMonthCents: number;
  /** For all together. */
  readonly dayCents: number;
  readonly monthCents: number;
}

/**
 * What payments cost the platform, and how much of it the platform bears beyond its fee, as the deployment has it.
 * Rates are in basis points, amounts in cents. The budget is that of saved cards and checkout pages, and another of the
 * same size that of wallets.
 */
export interface SubsidyTerms extends SubsidyBudget {
  /** The share of a seller's budget that one payer may spend, of each day and month; in basis points. */
  readonly buyerShareBps: number;
  /** What the card processor takes of a charge. */
  readonly chargeBps: number;
  readonly chargeCents: number;
  /** What it takes of a payout to the seller's account, for each sale. */
  readonly payoutBps: number;
  readonly payoutCents: number;
  /** What the gas of a settlement on chain costs at most, or whoever settles takes for it. */
  readonly settlementCents: number;
  /** What a sale from this price on costs beyond its fee is borne without a budget. */
  readonly borneFromCents: number;
  /** For credits that are bought by card: they bring no fee. */
  readonly topUps: SubsidyBudget;
  /** For payments on chain (x402). */
  readonly usdc: SubsidyBudget;
}
