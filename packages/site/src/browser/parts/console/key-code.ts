import { encode } from 'uqr';
import { type Outline, outline } from '../../../format/outline.ts';

/** A code that a phone's camera reads as the key: dark on light in both looks, or cameras would not find it. */
export function keyCode(apiKey: string): Outline {
  const { data, size } = encode(apiKey, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x},${y}h1v1h-1z` : '')))
    .join('');
  return outline(
    'svg',
    { class: 'key-code', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': 'Your key as a QR code' },
    outline('path', { d: path }),
  );
}
