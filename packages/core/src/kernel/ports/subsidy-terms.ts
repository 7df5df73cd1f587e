/**
 * What payments cost the platform, and how much of it the platform bears beyond its fee, as the deployment has it.
 * Rates are in basis points, amounts in cents. Each way to pay that costs something has the budgets for itself.
 */
export interface SubsidyTerms {
  /** What the card processor takes of a charge. */
  readonly chargeBps: number;
  readonly chargeCents: number;
  /** What it takes of a payout to the seller's account, for each sale. */
  readonly payoutBps: number;
  readonly payoutCents: number;
  /** What a sale from this price on costs beyond its fee is borne without a budget. */
  readonly borneFromCents: number;
  /** For the sales and purchases of one key; 0: nothing is borne. */
  readonly partyDayCents: number;
  readonly partyMonthCents: number;
  /** For all keys together. */
  readonly dayCents: number;
  readonly monthCents: number;
}
