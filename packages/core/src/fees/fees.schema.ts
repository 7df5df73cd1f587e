import * as z from 'zod';
import type { FeeRates, FeeSchedule } from './fee-schedule.rules.ts';

export const bandsView = z
  .object({
    highTicketAtCents: z.int(),
    highTicketBps: z.int(),
    highTicketCapCents: z.int(),
    highTicketFloorCents: z.int(),
    microUnderCents: z.int(),
    standardBps: z.int(),
  })
  .meta({ id: 'FeeBands' });

export const scheduleView = z
  .object({
    announcedAt: z.iso.datetime(),
    bands: bandsView,
    buyerBps: z.int(),
    effectiveAt: z.iso.datetime(),
    listingBps: z.int(),
    version: z.int(),
  })
  .meta({ id: 'FeeSchedule' });

export function viewBands(rates: FeeRates): z.output<typeof bandsView> {
  const {
    highTicketAtCents,
    highTicketBps,
    highTicketCapCents,
    highTicketFloorCents,
    microUnderCents,
    standardBps,
  } = rates;
  return {
    highTicketAtCents,
    highTicketBps,
    highTicketCapCents,
    highTicketFloorCents,
    microUnderCents,
    standardBps,
  };
}

export function viewSchedule({
  announcedAt,
  effectiveAt,
  version,
  rates,
}: FeeSchedule): z.output<typeof scheduleView> {
  const { buyerBps, listingBps } = rates;
  return { announcedAt, bands: viewBands(rates), buyerBps, effectiveAt, listingBps, version };
}

export const ROUNDING = 'Fees are rounded down to whole cents, in the seller’s favour.';
