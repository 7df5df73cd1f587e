import { barAt, CHART, LABEL_Y } from '../../format/bar-chart.ts';
import { element } from './dom.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Fewer days do not fill the width: their bars would be blocks. */
const LEAST_PLACES = 7;

interface DayBars {
  /** A sentence that says what the chart shows: it is one image for readers of screens. */
  readonly sentence: string;
  /** Null: nothing was measured, and no bar stands there. */
  readonly days: readonly { readonly day: string; readonly value: number | null }[];
  readonly format: (value: number) => string;
  /** What reaches the top; the greatest value if left out. */
  readonly most?: number;
}

/** A bar for each day, from left to right, below the sentence. */
export function dayBars(bars: DayBars): HTMLElement {
  const figure = element('figure', { class: 'stack' }, element('figcaption', {}, bars.sentence));
  figure.append(chartOf(bars));
  return figure;
}

function chartOf({ sentence, days, format, most: top }: DayBars): Element {
  const most = top ?? Math.max(1, ...days.map(({ value }) => value ?? 0));
  const places = Math.max(days.length, LEAST_PLACES);
  const chart = svg('svg', {
    viewBox: `0 0 ${CHART.width} ${CHART.height}`,
    class: 'chart',
    role: 'img',
    'aria-label': sentence,
  });
  chart.append(svg('line', { x1: 0, x2: CHART.width, y1: CHART.baseline, y2: CHART.baseline }));
  for (const [index, { day, value }] of days.entries()) {
    if (value !== null) {
      const bar = svg('rect', { ...barAt(index, value, { places, most }) });
      bar.append(svg('title', {}, `${day}: ${format(value)}`));
      chart.append(bar);
    }
    if (index === 0 || index === days.length - 1) {
      const isLast = index > 0;
      const x = isLast ? Math.min(CHART.width, ((index + 1) * CHART.width) / places) : 0;
      chart.append(svg('text', { x, y: LABEL_Y, 'text-anchor': isLast ? 'end' : 'start' }, day));
    }
  }
  return chart;
}

function svg(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): Element {
  const node = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, String(value));
  if (text !== '') node.textContent = text;
  return node;
}
