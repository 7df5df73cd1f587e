/** How much of what buyers' banks may take back a seller is paid at a time, as the deployment has it. */
export interface ReserveTerms {
  /** What a new seller is paid of such sales within `days`; 0: nothing. */
  readonly limitCents: number;
  /** How long banks are expected to take money back, and what is above the limit is kept. 0: nothing is kept. */
  readonly days: number;
  /** How much the limit grows, of what a seller was paid longer ago than that and nobody disputed. */
  readonly growthPercent: number;
}
