import type { Child } from 'hono/jsx';

interface ChartFigure {
  /** A sentence that says what the chart shows. */
  readonly sentence: string;
  /** The same as rows of text, for readers of screens. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What stands below the chart, at the left and at the right. */
  readonly ends: readonly [left: string, right: string];
  readonly width: number;
  readonly height: number;
  /** The shapes. */
  readonly children: Child;
}

/** A chart below the sentence that says what it shows, with a table of its figures for readers of screens. */
export function ChartFigure({ sentence, heads, rows, ends, width, height, children }: ChartFigure) {
  return (
    <figure class={height < 20 ? 'chart-figure flat' : 'chart-figure'}>
      <figcaption>{sentence}</figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        {children}
      </svg>
      <p class="chart-ends fine" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
      <table class="visually-hidden">
        <caption>{sentence}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr>
              <th scope="row">{first}</th>
              {others.map((text) => (
                <td>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
