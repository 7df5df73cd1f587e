import type { Child } from 'hono/jsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { ConsoleFrame } from './console-frame.tsx';

const PAGES = [
  { href: '/wallet', label: 'Wallet', icon: INTERFACE_ICONS.wallet },
  { href: '/activity', label: 'Activity', icon: INTERFACE_ICONS.overview },
  { href: '/keys', label: 'API keys', icon: INTERFACE_ICONS.key },
  { href: '/approvals', label: 'Approvals', icon: INTERFACE_ICONS.list },
  { href: '/account', label: 'Account', icon: INTERFACE_ICONS.person },
] as const;

export type AccountPath = (typeof PAGES)[number]['href'];

/** What a person who looks after an agent opens with its key. */
export function AccountConsole({ path, children }: { path: AccountPath; children: Child }) {
  return (
    <ConsoleFrame name="Your agent" pages={PAGES} open={path}>
      {children}
    </ConsoleFrame>
  );
}
