import { scaleLinear } from 'd3-scale';
import { shape } from '../../format/chart-figure.ts';
import { wholePercent } from '../../format/figures.ts';
import { outline } from '../../format/outline.ts';
import { ChartFigure } from './chart-figure.tsx';

const WIDTH = 320;
const HEIGHT = 12;

interface ShareStrip {
  readonly sentence: string;
  /** From 0 to 1. */
  readonly share: number;
  /** Of the share, and of the rest. */
  readonly names: readonly [share: string, rest: string];
}

/** How much of a whole something is. */
export function ShareStrip({ sentence, share, names }: ShareStrip) {
  const x = scaleLinear([0, 1], [0, WIDTH]).clamp(true);
  const shown = wholePercent(share);
  const rest = `${100 - Number.parseInt(shown, 10)}%`;
  return (
    <ChartFigure
      sentence={sentence}
      heads={['Part', 'Share']}
      rows={[
        [names[0], shown],
        [names[1], rest],
      ]}
      ends={[`${names[0]}: ${shown}`, '']}
      width={WIDTH}
      height={HEIGHT}
      shapes={[
        outline('g', { class: 'behind' }, shape('rect', { x: 0, y: 0, width: WIDTH, height: HEIGHT })),
        shape('rect', { x: 0, y: 0, width: Math.round(x(share)), height: HEIGHT }),
      ]}
    />
  );
}
