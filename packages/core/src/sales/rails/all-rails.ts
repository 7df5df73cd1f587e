import { cardRail } from './card/card-rail.ts';
import { checkoutRail } from './checkout/checkout-rail.ts';
import type { Rail } from './rail.ts';
import { usdcRail } from './usdc/usdc-rail.ts';
import { walletRail } from './wallet/wallet-rail.ts';

/** Every way to pay, in the order in which interfaces name them. A new one is its folder and a line here. */
// biome-ignore lint/suspicious/noExplicitAny: what a buyer pays with is known to its own rail only.
export const ALL_RAILS: readonly Rail<any>[] = [checkoutRail, cardRail, walletRail, usdcRail];
