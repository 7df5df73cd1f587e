import { crc32, deflateSync } from 'node:zlib';
import { patternOf } from './pattern.ts';

const WIDTH = 600;
const HEIGHT = 315;
const TILE = 75;
const COLUMNS = WIDTH / TILE;
const ROWS = Math.ceil(HEIGHT / TILE);
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The pattern of a seed as a PNG with a palette of three colours. */
export function drawPng(seed: string): Uint8Array<ArrayBuffer> {
  const { palette, tiles } = patternOf(seed, COLUMNS * ROWS);
  // A byte before each row says how it is filtered: not at all.
  const pixels = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const tile = tiles[Math.floor(y / TILE) * COLUMNS + Math.floor(x / TILE)];
      if (!tile || tile.shade === 0) continue;
      const isRight = tile.corner === 1 || tile.corner === 2;
      const isLow = tile.corner >= 2;
      const across = isRight ? TILE - 1 - (x % TILE) : x % TILE;
      const down = isLow ? TILE - 1 - (y % TILE) : y % TILE;
      if (across * across + down * down < TILE * TILE) pixels[y * (WIDTH + 1) + 1 + x] = tile.shade;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each pixel, which are indexes of the palette.
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.join('').replaceAll('#', ''), 'hex');
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      chunk('PLTE', colours),
      chunk('IDAT', deflateSync(pixels)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
