import type { StateKind } from '../../format/state-kind.ts';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { Icon } from '../icon.tsx';

export function StateBadge({ kind, children }: { kind: StateKind; children: string }) {
  return (
    <span class={`state ${kind}`}>
      <Icon icon={INTERFACE_ICONS[kind]} size={12} />
      {children}
    </span>
  );
}
