/** Enough for answers that are lost on the way, and too few to read a live listing for one payment. */
export const MAX_REDELIVERIES_A_DAY = 10;
export const MAX_REDELIVERIES = 50;
