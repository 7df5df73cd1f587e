import type { Child } from 'hono/jsx';
import type { IconData } from '../../icons/icon-data.ts';
import { EmptyState } from '../empty-state.tsx';

interface EmptyTemplate {
  /** What `fromTemplate` of the page's script takes it by. */
  readonly id: string;
  readonly icon: IconData;
  readonly title: string;
  readonly children: Child;
}

/** What a script shows where a list of the key's is empty, drawn by the server. */
export function EmptyTemplate({ id, icon, title, children }: EmptyTemplate) {
  return (
    <template id={id}>
      <EmptyState icon={icon} title={title}>
        {children}
      </EmptyState>
    </template>
  );
}
