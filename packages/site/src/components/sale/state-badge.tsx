import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { Icon } from '../icon.tsx';

/** The four kinds of state. The word always stands beside the colour. */
export type StateKind = 'waiting' | 'done' | 'attention' | 'failed';

export function StateBadge({ kind, children }: { kind: StateKind; children: string }) {
  return (
    <span class={`state ${kind}`}>
      <Icon icon={INTERFACE_ICONS[kind]} size={12} />
      {children}
    </span>
  );
}
