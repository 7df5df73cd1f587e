import { meetingPlanner } from './meeting-planner.ts';
import { moonPhase } from './moon-phase.ts';
import type { Product } from './product.ts';
import { timeZones } from './time-zones.ts';

/** What the example seller gives away. */
export const PRODUCTS: readonly Product[] = [timeZones, meetingPlanner];

/** What it sells. */
export const PRICED_PRODUCTS: readonly Product[] = [moonPhase];
