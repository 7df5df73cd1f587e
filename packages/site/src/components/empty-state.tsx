import type { Child } from 'hono/jsx';
import type { IconData } from '../icons/icon-data.ts';
import { Icon } from './icon.tsx';

/** Stands where a list would be: why there is none, and what to do next. */
export function EmptyState({ icon, title, children }: { icon: IconData; title: string; children: Child }) {
  return (
    <div class="empty">
      <Icon icon={icon} size={28} />
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
