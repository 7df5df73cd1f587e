import { barAt, CHART, LABEL_Y } from '../../format/bar-chart.ts';
import { countNoun, day, money } from '../../format/figures.ts';

const SVG = 'http://www.w3.org/2000/svg';

export interface DayOfSales {
  readonly day: string;
  readonly cents: number;
}

/** Net sales by day, oldest first, without days that had no sale. */
export function salesByDay(
  sales: readonly {
    readonly createdAt: string;
    readonly amountCents: number;
    readonly platformFeeCents: number;
  }[],
): DayOfSales[] {
  const sums = new Map<string, number>();
  for (const { createdAt, amountCents, platformFeeCents } of sales) {
    const on = day(createdAt);
    sums.set(on, (sums.get(on) ?? 0) + amountCents - platformFeeCents);
  }
  return [...sums].map(([on, cents]) => ({ day: on, cents })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Net sales as bars. A table has the figures, so that the chart is one image for screen readers. */
export function earningsChart(days: readonly DayOfSales[]): Element {
  const most = Math.max(1, ...days.map(({ cents }) => cents));
  const places = Math.max(days.length, 7);
  const total = days.reduce((sum, { cents }) => sum + cents, 0);
  const chart = svg('svg', {
    viewBox: `0 0 ${CHART.width} ${CHART.height}`,
    class: 'chart',
    role: 'img',
    'aria-label': `Net sales of ${countNoun(days.length, 'day')}, ${money(total)} in all`,
  });
  chart.append(svg('line', { x1: 0, x2: CHART.width, y1: CHART.baseline, y2: CHART.baseline }));
  for (const [index, { day: on, cents }] of days.entries()) {
    const bar = svg('rect', { ...barAt(index, cents, { places, most }) });
    bar.append(svg('title', {}, `${on}: ${money(cents)}`));
    chart.append(bar);
    if (index === 0 || index === days.length - 1) {
      const isLast = index > 0;
      const x = isLast ? Math.min(CHART.width, ((index + 1) * CHART.width) / places) : 0;
      chart.append(svg('text', { x, y: LABEL_Y, 'text-anchor': isLast ? 'end' : 'start' }, on));
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
