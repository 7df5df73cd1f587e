/** Ground and two lighter shades; white lines on any of them have a contrast of 3:1 or more, in light and dark. */
const PALETTES = [
  ['#14604a', '#1f6f57', '#2b7d65'],
  ['#2a4f86', '#365c94', '#446aa1'],
  ['#6f4a12', '#7d571d', '#8a642a'],
  ['#6b3a6e', '#79487c', '#875789'],
  ['#7d2f3f', '#8b3d4d', '#984c5b'],
  ['#2a6172', '#386f80', '#477d8d'],
  ['#4d5a1f', '#5b682c', '#69763a'],
  ['#4d4788', '#5b5595', '#6963a2'],
] as const;

/** Of a quarter circle, by the corner of its tile that is its centre. */
export type Corner = 0 | 1 | 2 | 3;

export interface Pattern {
  readonly palette: (typeof PALETTES)[number];
  /** Row by row: the shade of each tile's quarter circle (1 or 2), or none, and its corner. */
  readonly tiles: readonly { readonly shade: 0 | 1 | 2; readonly corner: Corner }[];
}

/** The pattern of a seed, of so many tiles. */
export function patternOf(seed: string, tiles: number): Pattern {
  const next = numbersOf(Number.parseInt(seed, 16));
  const palette = PALETTES[next(PALETTES.length)] ?? PALETTES[0];
  return {
    palette,
    tiles: Array.from({ length: tiles }, () => ({ shade: next(3) as 0 | 1 | 2, corner: next(4) as Corner })),
  };
}

/** Whole numbers below a bound, always the same for the same seed (mulberry32). */
function numbersOf(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}
