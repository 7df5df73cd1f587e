import type { Child } from 'hono/jsx';

export interface LedgerRow {
  readonly label: Child;
  readonly value: Child;
  /** Draws a line above the row, as for a sum. */
  readonly isTotal?: boolean;
}

/** A column of figures, each at the end of a line of dots. */
export function Ledger({ rows }: { rows: readonly LedgerRow[] }) {
  return (
    <dl class="ledger">
      {rows.map(({ label, value, isTotal }) => (
        <div class={isTotal ? 'total' : undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Labels with longer values, without dots. */
export function Facts({ rows }: { rows: readonly (readonly [label: Child, value: Child])[] }) {
  return <dl class="facts">{rows.flatMap(([label, value]) => [<dt>{label}</dt>, <dd>{value}</dd>])}</dl>;
}
