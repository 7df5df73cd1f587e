import { RAILS as PRODUCT_RAILS } from '../../sales/rails/list.ts';
import { memoryRail } from './memory/memory-rail.ts';

/** In place of the product's list, where the fault tests run. */
export const RAILS = [...PRODUCT_RAILS, memoryRail];
