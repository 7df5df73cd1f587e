export interface ImageHeader {
  readonly type: 'png' | 'jpeg' | 'gif' | 'webp';
  readonly width: number;
  readonly height: number;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * What a picture is by its own first bytes. Null: nothing that is shown, an SVG among it, which is a program. The size is
 * what its decoder will be told, so a picture of a few bytes that unfolds to gigabytes is known before it does.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header =
    pngSize(bytes, view) ?? gifSize(bytes, view) ?? webpSize(bytes, view) ?? jpegSize(bytes, view);
  return header && header.width > 0 && header.height > 0 ? header : null;
}

function pngSize(bytes: Uint8Array, view: DataView): ImageHeader | null {
  if (bytes.length < 24 || !PNG.every((byte, index) => bytes[index] === byte)) return null;
  if (textAt(bytes, 12, 4) !== 'IHDR') return null;
  return { type: 'png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(bytes: Uint8Array, view: DataView): ImageHeader | null {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return null;
  return { type: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webpSize(bytes: Uint8Array, view: DataView): ImageHeader | null {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null;
  switch (textAt(bytes, 12, 4)) {
    case 'VP8 ':
      return sized(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const packed = view.getUint32(21, true);
      return sized((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized(uint24(view, 24) + 1, uint24(view, 27) + 1);
    default:
      return null;
  }
}

const sized = (width: number, height: number): ImageHeader => ({ type: 'webp', width, height });
const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** Walks from segment to segment to the one that holds the size: each step goes on by its length, so it ends. */
function jpegSize(bytes: Uint8Array, view: DataView): ImageHeader | null {
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker))
      return { type: 'jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    // Pixels follow without a size: no decoder takes that.
    if (marker === 0xda || marker === 0xd9) return null;
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

/** SOF0 to SOF15, without the three of that range that are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
