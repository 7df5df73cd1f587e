import { expect, test } from 'vitest';
import { drawnGif, drawnJpeg, drawnPng, drawnWebp } from '../../testing/fixtures/pictures.ts';
import { readImageHeader } from './image-header.rules.ts';

test.each([
  ['png', drawnPng(640, 480)],
  ['gif', drawnGif(640, 480)],
  ['jpeg', drawnJpeg(640, 480)],
  ['webp', drawnWebp(640, 480)],
] as const)('tells the size of a %s from its first bytes', (type, bytes) => {
  expect(readImageHeader(bytes)).toEqual({ type, width: 640, height: 480 });
});

test('tells the size of a lossless WebP, and of one with alpha', () => {
  const lossless = riff('VP8L', [0x2f, 0x7f, 0xc2, 0x77, 0x00, 0, 0, 0, 0, 0]);
  expect(readImageHeader(lossless)).toEqual({ type: 'webp', width: 640, height: 480 });
  const extended = riff('VP8X', [0x10, 0, 0, 0, 0x7f, 0x02, 0, 0xdf, 0x01, 0]);
  expect(readImageHeader(extended)).toEqual({ type: 'webp', width: 640, height: 480 });
});

test.each([
  ['nothing', ''],
  [
    'an SVG',
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>',
  ],
  ['an SVG behind a declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a PDF', '%PDF-1.7'],
  ['a program', 'MZ\u0090\u0000'],
  ['a TIFF', 'II*\u0000'],
  ['half a signature', '\u0089PNG\r\n'],
  ['a GIF that is none', 'GIF87b\u0000\u0000\u0000\u0000'],
])('%s is no picture', (_, text) => {
  expect(readImageHeader(Uint8Array.from(text, (character) => character.charCodeAt(0)))).toBeNull();
});

test('a picture without width is none', () => {
  expect(readImageHeader(drawnPng(0, 480))).toBeNull();
});

test('a JPEG whose segments lead nowhere ends', () => {
  const endless = new Uint8Array(100_000).fill(0xff);
  endless.set([0xff, 0xd8], 0);
  expect(readImageHeader(endless)).toBeNull();
  expect(readImageHeader(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0))).toBeNull();
  expect(readImageHeader(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0, 0, 0, 0, 0))).toBeNull();
  expect(readImageHeader(Uint8Array.of(0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0, 0, 0, 0, 0))).toBeNull();
});

test('any cut of a picture is judged without a failure', () => {
  for (const bytes of [drawnPng(64, 48), drawnGif(64, 48), drawnJpeg(64, 48), drawnWebp(64, 48)])
    for (let length = 0; length <= bytes.length; length += 1)
      expect([null, 64]).toContain(readImageHeader(bytes.slice(0, length))?.width ?? null);
});

function riff(chunk: string, body: readonly number[]): Uint8Array {
  const text = (value: string) => [...value].map((character) => character.charCodeAt(0));
  return Uint8Array.from([...text('RIFF'), 0, 0, 0, 0, ...text(`WEBP${chunk}`), 10, 0, 0, 0, ...body]);
}
