import { curveStepAfter, line } from 'd3-shape';
import { chartFigure, shape } from './chart-figure.ts';
import { day, instant } from './figures.ts';
import { type Outline, outline } from './outline.ts';

const WIDTH = 640;
const TOP = 6;
const BASELINE = 116;

interface Balance {
  readonly at: string;
  readonly cents: number;
}

interface BalanceLine {
  readonly sentence: string;
  /** What is drawn, where it is no balance. */
  readonly what?: string;
  /** The balance from each instant on, the earliest first. */
  readonly balances: readonly Balance[];
  readonly format: (cents: number) => string;
}

/** A balance as a line of steps: it stays as it is until something moves it. */
export function balanceLine({ sentence, what = 'Balance', balances, format }: BalanceLine): Outline {
  const times = balances.map(({ at }) => Date.parse(at));
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 1];
  const most = Math.max(1, ...balances.map(({ cents }) => cents));
  // By hand: the scales of d3 are a third of what a page may load.
  const path = line<Balance>(
    ({ at }) => ((Date.parse(at) - first) / Math.max(1, last - first)) * WIDTH,
    ({ cents }) => BASELINE - (Math.max(0, cents) / most) * (BASELINE - TOP),
  ).curve(curveStepAfter)([...balances]);
  return chartFigure({
    sentence,
    heads: ['From', what],
    rows: balances.map(({ at, cents }) => [instant(at), format(cents)]),
    ends: [day(balances[0]?.at ?? ''), day(balances.at(-1)?.at ?? '')],
    width: WIDTH,
    height: BASELINE + 2,
    shapes: [
      outline('path', { d: path ?? '' }),
      shape('line', { x1: 0, x2: WIDTH, y1: BASELINE, y2: BASELINE }),
    ],
  });
}
