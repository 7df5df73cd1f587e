import { ALL_RAILS as PRODUCT_RAILS } from '../../sales/rails/all-rails.ts';
import { memoryRail } from './memory/memory-rail.ts';

/**
 * In place of the product's list, where the fault tests run.
 * @public test/native/rails-of-tests.ts names it.
 */
export const ALL_RAILS = [...PRODUCT_RAILS, memoryRail];
