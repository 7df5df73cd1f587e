import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pictureFile } from './picture-file.ts';
import { picturePath, previewOf } from './picture-of.ts';
import { pictureSeed } from './picture-seed.ts';

const fetchPicture = (path: string) => pictureFile(new URL(path, 'https://market.example'));

test('a title has one picture, and other titles have others', async () => {
  const listing = { title: 'Tide tables by harbour', verticalSlug: 'weather-environment' };
  const svg = await fetchPicture(picturePath(listing))?.text();
  expect(svg).toBe(await fetchPicture(picturePath({ ...listing }))?.text());
  expect(svg).not.toBe(await fetchPicture(picturePath({ ...listing, title: 'Tide tables' }))?.text());
  expect(new Set(Array.from({ length: 1000 }, (_, n) => pictureSeed(`Listing ${n}`))).size).toBe(1000);
});

test('no part of a title or an address gets into a picture', async () => {
  const title = '"/><script>alert(1)</script>'.repeat(400);
  const path = picturePath({ title, verticalSlug: '"><script>' });
  expect(path).toMatch(/^\/pictures\/%22%3E%3Cscript%3E\/[0-9a-f]{8}\.svg$/);
  expect(fetchPicture(path)).toBeNull();
  const svg = await fetchPicture(picturePath({ title, verticalSlug: 'constructor' }))?.text();
  expect(svg).toMatch(/^<svg [^<]*<rect [^<]*<path [^<]*<path /);
  expect(svg).not.toContain('script');
});

test.each(['/pictures/', '/pictures/a/b/12345678.svg', '/pictures/a/1234567.svg', '/pictures/12345678.gif'])(
  '%s is no picture',
  (path) => expect(fetchPicture(path)).toBeNull(),
);

test('the preview is a PNG of 600 by 315 with three colours', async () => {
  const response = fetchPicture(previewOf({ title: 'Tide tables by harbour' }).path);
  expect(response?.headers.get('content-type')).toBe('image/png');
  expect(response?.headers.get('cache-control')).toContain('immutable');
  const png = Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([600, 315]);
  const at = png.indexOf('IDAT');
  const pixels = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  expect(pixels.length).toBe(601 * 315);
  expect([...new Set(pixels)].sort()).toEqual([0, 1, 2]);
});
