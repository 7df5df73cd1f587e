/** How far a reputation moves before its seller's listings are written into the search index again. */
const STEP_TENTHS = 10;

/** Whether lists should show another reputation than they do. `shown` is null where they show none yet. */
export function hasMovedAStep(shown: number | null, reputation: number): boolean {
  return shown === null || Math.abs(Math.round(shown * 10) - Math.round(reputation * 10)) >= STEP_TENTHS;
}
