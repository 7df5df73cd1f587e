import { scaleBand, scaleLinear } from 'd3-scale';
import { shape } from '../../format/chart-figure.ts';
import { ChartFigure } from './chart-figure.tsx';

const WIDTH = 320;
const BASELINE = 76;
/** A bar of nothing is still seen. */
const SHORTEST = 1.5;

interface BarsByDay {
  readonly sentence: string;
  /** What the figures count. */
  readonly unit: string;
  readonly days: readonly { readonly day: string; readonly value: number }[];
  readonly format: (value: number) => string;
}

/** A bar for each day. */
export function BarsByDay({ sentence, unit, days, format }: BarsByDay) {
  const x = scaleBand(
    days.map(({ day }) => day),
    [0, WIDTH],
  ).padding(0.2);
  const y = scaleLinear([0, Math.max(1, ...days.map(({ value }) => value))], [0, BASELINE - 4]);
  return (
    <ChartFigure
      sentence={sentence}
      heads={['Day', unit]}
      rows={days.map(({ day, value }) => [day, format(value)])}
      ends={[days[0]?.day ?? '', days.at(-1)?.day ?? '']}
      width={WIDTH}
      height={BASELINE + 2}
      shapes={[
        ...days.map(({ day, value }) => {
          const height = Math.max(SHORTEST, y(value));
          return shape('rect', {
            x: round(x(day) ?? 0),
            y: round(BASELINE - height),
            width: round(x.bandwidth()),
            height: round(height),
          });
        }),
        shape('line', { x1: 0, x2: WIDTH, y1: BASELINE, y2: BASELINE }),
      ]}
    />
  );
}

const round = (value: number) => Number(value.toFixed(1));
