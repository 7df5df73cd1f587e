import type { Child } from 'hono/jsx';

/** Something that takes time: what is being waited for and, where it is known, how much of it is done. */
export function Progress({ label, done, children }: { label: string; done?: number; children?: Child }) {
  return (
    <div class="progress" role="status">
      <span>{label}</span>
      <progress aria-label={label} value={done === undefined ? undefined : String(done)} max="1" />
      {children}
    </div>
  );
}
