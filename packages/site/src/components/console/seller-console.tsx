import type { Child } from 'hono/jsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { ConsoleFrame } from './console-frame.tsx';

const PAGES = [
  { href: '/seller', label: 'Overview', icon: INTERFACE_ICONS.overview },
  { href: '/seller/listings', label: 'Listings', icon: INTERFACE_ICONS.goods },
  { href: '/seller/orders', label: 'Orders', icon: INTERFACE_ICONS.queue },
  { href: '/seller/disputes', label: 'Disputes', icon: INTERFACE_ICONS.dispute },
  { href: '/seller/payouts', label: 'Payouts', icon: INTERFACE_ICONS.wallet },
  { href: '/seller/statements', label: 'Statements', icon: INTERFACE_ICONS.receipt },
  { href: '/seller/endpoint', label: 'Endpoint', icon: INTERFACE_ICONS.speed },
  { href: '/seller/events', label: 'Events', icon: INTERFACE_ICONS.events },
] as const;

export type SellerPath = (typeof PAGES)[number]['href'];

/** What a person opens with the key of an agent that sells. */
export function SellerConsole({ path, children }: { path: SellerPath; children: Child }) {
  return (
    <ConsoleFrame name="Seller console" pages={PAGES} open={path}>
      {children}
    </ConsoleFrame>
  );
}
