import { type Outline, outline } from './outline.ts';

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
  readonly shapes: readonly Outline[];
}

/** A chart below the sentence that says what it shows, with a table of its figures for readers of screens. */
export function chartFigure({ sentence, heads, rows, ends, width, height, shapes }: ChartFigure): Outline {
  const head = heads.map((text) => outline('th', { scope: 'col' }, text));
  const body = rows.map(([first = '', ...others]) =>
    outline(
      'tr',
      {},
      outline('th', { scope: 'row' }, first),
      ...others.map((text) => outline('td', {}, text)),
    ),
  );
  return outline(
    'figure',
    { class: height < 20 ? 'chart-figure flat' : 'chart-figure' },
    outline('figcaption', {}, sentence),
    outline(
      'svg',
      {
        class: 'chart',
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
        focusable: 'false',
      },
      ...shapes,
    ),
    outline(
      'p',
      { class: 'chart-ends fine', 'aria-hidden': 'true' },
      outline('span', {}, ends[0]),
      outline('span', {}, ends[1]),
    ),
    // A table is as wide as its words, whatever it is told: it would widen a phone's page.
    outline(
      'div',
      { class: 'visually-hidden' },
      outline(
        'table',
        {},
        outline('caption', {}, sentence),
        outline('thead', {}, outline('tr', {}, ...head)),
        outline('tbody', {}, ...body),
      ),
    ),
  );
}

/** A shape of a chart, by its numbers. */
export function shape(tag: string, numbers: Readonly<Record<string, number>>): Outline {
  return outline(
    tag,
    Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
  );
}
