/** One schedule as `GET /fees` shows it. */
export interface PublishedSchedule {
  readonly version: number;
  readonly bands: {
    readonly microUnderCents: number;
    readonly standardBps: number;
    readonly highTicketAtCents: number;
    readonly highTicketBps: number;
    readonly highTicketFloorCents: number;
    readonly highTicketCapCents: number;
  };
}

/** The platform's fee on a price, as a seller computes it from the published schedule. */
export function publishedFeeCents({ bands }: PublishedSchedule, priceCents: number): number {
  const price = BigInt(priceCents);
  if (price < BigInt(bands.microUnderCents)) return 0;
  if (price < BigInt(bands.highTicketAtCents)) return Number((price * BigInt(bands.standardBps)) / 10_000n);
  const fee = (price * BigInt(bands.highTicketBps)) / 10_000n;
  const [floor, cap] = [BigInt(bands.highTicketFloorCents), BigInt(bands.highTicketCapCents)];
  return Number(fee < floor ? floor : fee > cap ? cap : fee);
}
