import type { Child } from 'hono/jsx';
import type { StateKind } from '../format/state-kind.ts';

/** Something to know before going on. Without a kind it is plain. */
export function Note({ kind, children }: { kind?: StateKind; children: Child }) {
  const look = kind === 'failed' ? 'note stop' : kind ? `note ${kind}` : 'note';
  return (
    <div class={look} role={kind === 'failed' ? 'alert' : undefined}>
      {children}
    </div>
  );
}
