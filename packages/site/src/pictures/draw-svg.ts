import type { IconData } from '../icons/icon-data.ts';
import { type Corner, patternOf } from './pattern.ts';

const TILES = 4;
const SIZE = 10;
/** A quarter circle around each corner of a tile: upper left, upper right, lower right, lower left. */
const ARCS: Readonly<Record<Corner, string>> = {
  0: 'h10a10 10 0 0 1-10 10z',
  1: 'h10v10a10 10 0 0 1-10-10z',
  2: 'm10 0v10h-10a10 10 0 0 1 10-10z',
  3: 'a10 10 0 0 1 10 10h-10z',
};

/** A square picture of 40 by 40: the pattern of the seed behind the icon. */
export function drawSvg(seed: string, icon: IconData): string {
  const { palette, tiles } = patternOf(seed, TILES * TILES);
  const shades = [1, 2].map((shade) => {
    const arcs = tiles.flatMap((tile, place) =>
      tile.shade === shade
        ? [`M${(place % TILES) * SIZE} ${Math.floor(place / TILES) * SIZE}${ARCS[tile.corner]}`]
        : [],
    );
    return `<path fill="${palette[shade]}" d="${arcs.join('')}"/>`;
  });
  const lines = icon.node.map(
    ([name, { key: _key, ...attributes }]) =>
      `<${name} ${Object.entries(attributes)
        .map(([attribute, value]) => `${attribute}="${value}"`)
        .join(' ')}/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="${palette[0]}"/>${shades.join('')}<g transform="translate(8 8)" fill="none" stroke="#fff" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${lines.join('')}</g></svg>
`;
}
