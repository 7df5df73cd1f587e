import type { Rail } from '../rail.ts';
import { railDefaults } from '../rail-defaults.ts';

/** Nothing is paid: nothing is reserved, captured or given back. */
export const freeRail: Rail<null> = {
  ...railDefaults,
  name: 'free',
  isPaymentMethod: false,
  payerAccount: () => null,
};
