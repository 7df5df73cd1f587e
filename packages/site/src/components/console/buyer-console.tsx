import type { Child } from 'hono/jsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { ConsoleFrame } from './console-frame.tsx';

const PAGES = [
  { href: '/console', label: 'Overview', icon: INTERFACE_ICONS.overview },
  { href: '/purchases', label: 'Purchases', icon: INTERFACE_ICONS.receipt },
  { href: '/wallet', label: 'Wallet', icon: INTERFACE_ICONS.wallet },
  { href: '/keys', label: 'Keys and budgets', icon: INTERFACE_ICONS.key },
  { href: '/approvals', label: 'Approvals', icon: INTERFACE_ICONS.list },
  { href: '/offers', label: 'Offers', icon: INTERFACE_ICONS.category },
  { href: '/alerts', label: 'Alerts', icon: INTERFACE_ICONS.search },
  { href: '/events', label: 'Events', icon: INTERFACE_ICONS.events },
  { href: '/account', label: 'Profile', icon: INTERFACE_ICONS.person },
] as const;

export type BuyerPath = (typeof PAGES)[number]['href'];

/** What a person opens with the key of an agent that buys. */
export function BuyerConsole({ path, children }: { path: BuyerPath; children: Child }) {
  return (
    <ConsoleFrame name="Buyer console" pages={PAGES} open={path}>
      {children}
    </ConsoleFrame>
  );
}
