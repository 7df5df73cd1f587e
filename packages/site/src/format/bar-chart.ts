/** The size of a chart in its own units; it is drawn as wide as the page lets it. */
export const CHART = { width: 640, height: 160, baseline: 128 } as const;

/** Below the baseline, for the ends of the axis. */
export const LABEL_Y = CHART.height - 8;

const TOP = 8;
/** Of the share of its place, on each side of a bar. */
const SPACE = 0.15;
/** A bar of nothing is still seen, so that it is not taken for a place without a value. */
const SHORTEST = 2;

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the bar of a value stands, in one of `places` from left to right. `most` reaches the top. */
export function barAt(place: number, value: number, { places, most }: { places: number; most: number }): Bar {
  const step = CHART.width / places;
  const height = Math.max(SHORTEST, (value / most) * (CHART.baseline - TOP));
  return { x: step * (place + SPACE), y: CHART.baseline - height, width: step * (1 - 2 * SPACE), height };
}
