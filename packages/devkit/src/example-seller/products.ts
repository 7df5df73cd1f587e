import { meetingPlanner } from './meeting-planner.ts';
import type { Product } from './product.ts';
import { timeZones } from './time-zones.ts';

/** All that the example seller sells. */
export const PRODUCTS: readonly Product[] = [timeZones, meetingPlanner];
