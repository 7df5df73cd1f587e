import { scaleLinear, scaleUtc } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { day, instant } from '../../format/figures.ts';
import { ChartFigure } from './chart-figure.tsx';

const WIDTH = 640;
const BASELINE = 116;

interface Balance {
  readonly at: string;
  readonly cents: number;
}

interface BalanceLine {
  readonly sentence: string;
  /** The balance from each instant on, the earliest first. */
  readonly balances: readonly Balance[];
  readonly format: (cents: number) => string;
}

/** A balance as a line of steps: it stays as it is until something moves it. */
export function BalanceLine({ sentence, balances, format }: BalanceLine) {
  const times = balances.map(({ at }) => Date.parse(at));
  const x = scaleUtc([times[0] ?? 0, times.at(-1) ?? 1], [0, WIDTH]);
  const y = scaleLinear([0, Math.max(1, ...balances.map(({ cents }) => cents))], [BASELINE, 6]);
  const path = line<Balance>(
    ({ at }) => x(Date.parse(at)),
    ({ cents }) => y(cents),
  ).curve(curveStepAfter)([...balances]);
  return (
    <ChartFigure
      sentence={sentence}
      heads={['From', 'Balance']}
      rows={balances.map(({ at, cents }) => [instant(at), format(cents)])}
      ends={[day(balances[0]?.at ?? ''), day(balances.at(-1)?.at ?? '')]}
      width={WIDTH}
      height={BASELINE + 2}
    >
      <path d={path ?? ''} />
      <line x1="0" x2={WIDTH} y1={BASELINE} y2={BASELINE} />
    </ChartFigure>
  );
}
