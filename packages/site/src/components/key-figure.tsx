import type { Child } from 'hono/jsx';

interface KeyFigure {
  readonly label: string;
  readonly value: string;
  /** What it is compared with, or where it comes from. */
  readonly note?: Child;
}

/** The few figures that a page begins with. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  return (
    <dl class="key-figures">
      {figures.map(({ label, value, note }) => (
        <div class="key-figure">
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note && <dd class="fine">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
