const text = (value: string): number[] => [...value].map((character) => character.charCodeAt(0));
const big = (value: number): number[] => [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff);
const big16 = (value: number): number[] => big(value).slice(2);
const little16 = (value: number): number[] => big16(value).reverse();

/** The head of a PNG, with room for what follows. */
export const drawnPng = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    0x89,
    ...text('PNG\r\n'),
    0x1a,
    0x0a,
    ...big(13),
    ...text('IHDR'),
    ...big(width),
    ...big(height),
  ]);

export const drawnGif = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...text('GIF89a'), ...little16(width), ...little16(height), 0, 0]);

/** With a segment of another kind before the one with the size. */
export const drawnJpeg = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 6, ...text('JFIF'), 0xff, 0xc0, 0, 11, 8],
    ...big16(height),
    ...big16(width),
    ...[1, 0x11, 0, 0xff, 0xd9],
  ]);

export const drawnWebp = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...text('RIFF'),
    ...[22, 0, 0, 0],
    ...text('WEBPVP8 '),
    ...[10, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a],
    ...little16(width),
    ...little16(height),
  ]);
