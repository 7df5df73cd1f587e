import type { Child } from 'hono/jsx';

/** A word that classifies. */
export function Chip({ children, isOn = false }: { children: Child; isOn?: boolean }) {
  return <span class={isOn ? 'chip on' : 'chip'}>{children}</span>;
}
