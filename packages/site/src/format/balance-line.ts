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
  // By hand: a library of scales and paths is larger than the page that draws this.
  const x = (at: string) => ((Date.parse(at) - first) / Math.max(1, last - first)) * WIDTH;
  const y = (cents: number) => BASELINE - (Math.max(0, cents) / most) * (BASELINE - TOP);
  const steps = balances.map(({ at, cents }) => `H${x(at).toFixed(2)}V${y(cents).toFixed(2)}`);
  return chartFigure({
    sentence,
    heads: ['From', what],
    rows: balances.map(({ at, cents }) => [instant(at), format(cents)]),
    ends: [day(balances[0]?.at ?? ''), day(balances.at(-1)?.at ?? '')],
    width: WIDTH,
    height: BASELINE + 2,
    shapes: [
      outline('path', { d: `M0,${y(balances[0]?.cents ?? 0).toFixed(2)}${steps.join('')}` }),
      shape('line', { x1: 0, x2: WIDTH, y1: BASELINE, y2: BASELINE }),
    ],
  });
}
