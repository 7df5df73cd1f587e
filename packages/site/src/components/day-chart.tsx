import { barAt, CHART, LABEL_Y } from '../format/bar-chart.ts';

interface DayChart {
  /** A sentence that says what the chart shows. */
  readonly name: string;
  /** All days of the axis, from left to right. */
  readonly days: readonly string[];
  /** One bar for each day that has a value. Where there are several, each stands before the one that is named first. */
  readonly series: readonly ReadonlyMap<string, number>[];
  /** What reaches the top; the greatest value if left out. */
  readonly most?: number;
}

/** Bars by day. Its figures are in a table too, so that the chart is one image for screen readers. */
export function DayChart({ name, days, series, most }: DayChart) {
  const top = most ?? Math.max(1, ...series.flatMap((values) => [...values.values()]));
  return (
    <svg class="chart" viewBox={`0 0 ${CHART.width} ${CHART.height}`} role="img" aria-label={name}>
      {series.map((values, index) => (
        <g class={index < series.length - 1 ? 'behind' : undefined}>
          {days.map((day, place) => {
            const value = values.get(day);
            return value === undefined ? null : (
              <rect {...barAt(place, value, { places: days.length, most: top })} />
            );
          })}
        </g>
      ))}
      <line x1="0" x2={CHART.width} y1={CHART.baseline} y2={CHART.baseline} />
      <text x="0" y={LABEL_Y}>
        {days[0]}
      </text>
      <text x={CHART.width} y={LABEL_Y} text-anchor="end">
        {days.at(-1)}
      </text>
    </svg>
  );
}
