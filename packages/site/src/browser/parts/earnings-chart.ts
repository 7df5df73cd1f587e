import { countNoun, day, money } from '../../format/figures.ts';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 640;
const HEIGHT = 160;
const BASE = 32;

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
  const step = WIDTH / Math.max(days.length, 7);
  const total = days.reduce((sum, { cents }) => sum + cents, 0);
  const chart = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: 'chart',
    role: 'img',
    'aria-label': `Net sales of ${countNoun(days.length, 'day')}, ${money(total)} in all`,
  });
  chart.append(
    svg('line', { x1: '0', x2: String(WIDTH), y1: String(HEIGHT - BASE), y2: String(HEIGHT - BASE) }),
  );
  for (const [index, { day: on, cents }] of days.entries()) {
    const height = Math.max(2, (cents / most) * (HEIGHT - BASE - 8));
    const bar = svg('rect', {
      x: String(index * step + step * 0.15),
      y: String(HEIGHT - BASE - height),
      width: String(step * 0.7),
      height: String(height),
    });
    bar.append(svg('title', {}, `${on}: ${money(cents)}`));
    chart.append(bar);
    if (index === 0 || index === days.length - 1) {
      const isLast = index > 0;
      const x = isLast ? Math.min(WIDTH, (index + 1) * step) : 0;
      chart.append(
        svg('text', { x: String(x), y: String(HEIGHT - 8), 'text-anchor': isLast ? 'end' : 'start' }, on),
      );
    }
  }
  return chart;
}

function svg(name: string, attributes: Readonly<Record<string, string>>, text = ''): Element {
  const node = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  if (text !== '') node.textContent = text;
  return node;
}
