export { feeOfSliceCents, platformFeeCents, type Slices, scheduleAt } from './fee-schedule.rules.ts';
export { FEE_SCHEDULES } from './fee-schedules.ts';
export { getFees } from './get-fees.ts';
export { getMeta } from './get-meta.ts';
