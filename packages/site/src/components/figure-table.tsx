import type { Child } from 'hono/jsx';

interface FigureTable {
  /** What the table shows, in a sentence. */
  readonly caption: string;
  /** Heads that begin with `#` are of figures, which are aligned at the right. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Child[])[];
  /** The sum, as a last row. */
  readonly total?: readonly Child[];
}

/** A table of which the first column names each row. On a narrow window it scrolls by itself. */
export function FigureTable({ caption, heads, rows, total }: FigureTable) {
  const classOf = (index: number) => (heads[index]?.startsWith('#') ? 'amount' : undefined);
  const cells = (row: readonly Child[]) =>
    row.map((cell, index) =>
      index === 0 ? <th scope="row">{cell}</th> : <td class={classOf(index)}>{cell}</td>,
    );
  return (
    <section class="scroll" aria-label={caption} tabindex={0}>
      <table class="figure-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th scope="col" class={classOf(index)}>
                {head.replace(/^#/, '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>{cells(row)}</tr>
          ))}
        </tbody>
        {total && (
          <tfoot>
            <tr>{cells(total)}</tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
