import { meetingPlanner } from './meeting-planner.ts';
import type { Product } from './product.ts';
import { timeZones } from './time-zones.ts';

/** All products of the example seller. */
export const PRODUCTS: readonly Product[] = [timeZones, meetingPlanner];
