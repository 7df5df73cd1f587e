/** What a bank took of a sale after its seller was paid; negative: more was withheld for it than was lost in the end. */
export interface OpenClaim {
  readonly disputeId: string;
  readonly openCents: number;
}

export interface Withholding {
  readonly disputeId: string;
  readonly cents: number;
}

/** What a payout of so much bears of a seller's claims, the oldest first, and what of them stays open. */
export function withholdOf(
  netCents: number,
  claims: readonly OpenClaim[],
): { readonly withholdings: readonly Withholding[]; readonly open: readonly OpenClaim[] } {
  const withholdings: Withholding[] = [];
  const open: OpenClaim[] = [];
  let leftCents = netCents;
  for (const { disputeId, openCents } of claims) {
    const cents = Math.min(openCents, leftCents);
    leftCents -= cents;
    if (cents !== 0) withholdings.push({ disputeId, cents });
    if (openCents !== cents) open.push({ disputeId, openCents: openCents - cents });
  }
  return { withholdings, open };
}

export const withheldCentsOf = (withholdings: readonly Withholding[]): number =>
  withholdings.reduce((sum, { cents }) => sum + cents, 0);
