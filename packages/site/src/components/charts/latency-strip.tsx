import { scaleLinear } from 'd3-scale';
import { shape } from '../../format/chart-figure.ts';
import { seconds } from '../../format/figures.ts';
import { outline } from '../../format/outline.ts';
import { ChartFigure } from './chart-figure.tsx';

const WIDTH = 320;
const HEIGHT = 12;

interface LatencyStrip {
  readonly sentence: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** How long deliveries take: half of them within the dark part, 19 of 20 within the whole strip. */
export function LatencyStrip({ sentence, p50Ms, p95Ms }: LatencyStrip) {
  const x = scaleLinear([0, Math.max(1, p95Ms)], [0, WIDTH]);
  return (
    <ChartFigure
      sentence={sentence}
      heads={['Of all deliveries', 'arrive within']}
      rows={[
        ['half', seconds(p50Ms)],
        ['19 of 20', seconds(p95Ms)],
      ]}
      ends={[`half: ${seconds(p50Ms)}`, `19 of 20: ${seconds(p95Ms)}`]}
      width={WIDTH}
      height={HEIGHT}
      shapes={[
        outline('g', { class: 'behind' }, shape('rect', { x: 0, y: 0, width: WIDTH, height: HEIGHT })),
        shape('rect', { x: 0, y: 0, width: Math.round(x(p50Ms)), height: HEIGHT }),
      ]}
    />
  );
}
