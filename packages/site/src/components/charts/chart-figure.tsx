import { chartFigure } from '../../format/chart-figure.ts';
import { Drawn } from '../drawn.tsx';

/** A chart as a server draws it. */
export function ChartFigure(figure: Parameters<typeof chartFigure>[0]) {
  return <Drawn outline={chartFigure(figure)} />;
}
