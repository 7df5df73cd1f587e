import { type ChangeTerms, type FeeSchedule, requireFairHistory } from './fee-schedule.rules.ts';

/** What was promised about changes (clause: Versioning). */
export const CHANGE_TERMS: ChangeTerms = { lockUntil: '2027-06-30T00:00:00.000Z', noticeDays: 60 };

/** Every schedule that was ever announced, oldest first. Announcing a change is adding an entry. */
export const FEE_SCHEDULES: readonly FeeSchedule[] = [
  {
    version: 1,
    announcedAt: '2026-06-30T00:00:00.000Z',
    effectiveAt: '2026-06-30T00:00:00.000Z',
    rates: {
      microUnderCents: 2000,
      standardBps: 500,
      highTicketAtCents: 5_000_000,
      highTicketBps: 50,
      highTicketFloorCents: 24_900,
      highTicketCapCents: 499_500,
      buyerBps: 0,
      listingBps: 0,
    },
  },
];

requireFairHistory(FEE_SCHEDULES, CHANGE_TERMS);
