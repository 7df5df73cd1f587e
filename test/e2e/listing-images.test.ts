import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';

const SCRIPT = '<script>alert(1)</script>';

/** A picture with a text chunk, and a page behind its end. */
function pngWithPage(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 3 + 1) * height, 0x60);
  for (let y = 0; y < height; y += 1) rows[y * (width * 3 + 1)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${SCRIPT}`)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.from(SCRIPT),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

const asked: string[] = [];
const pictures = createServer((request, response) => {
  asked.push(request.url ?? '');
  if (request.url === '/wide.png') return response.end(pngWithPage(2400, 1200));
  if (request.url === '/moved.png')
    return response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  return response.writeHead(200, { 'content-type': 'image/png' }).end(`<svg>${SCRIPT}</svg>`);
});

let marketplace: Marketplace;
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
  marketplace = await startTemporaryMarketplace();
});
afterAll(async () => {
  await marketplace?.close();
  pictures.close();
});

test("a listing's pictures are drawn anew by the Workers, and shown from the site's own origin alone", async () => {
  const { baseUrl } = marketplace;
  const stranger = createMarketplaceClient({ baseUrl });
  const { apiKey } = await stranger.registerSeller({ name: 'Photographer' });
  const client = stranger.withApiKey(apiKey ?? '');
  const server = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ answer: 42 }) });
  await client.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  const { listing } = await client.createListing({
    title: 'Views of the harbour',
    description: 'A picture of each morning.',
    preview: { hours: 24 },
    priceCents: 0,
    consent: true,
    images: ['/svg.png', '/wide.png', '/moved.png'].map((path) => origin + path),
  });
  expect(listing.pictures).toEqual([]);
  await marketplace.runScheduled();
  await marketplace.runScheduled();
  expect(asked.toSorted()).toEqual(['/moved.png', '/svg.png', '/wide.png']);

  const { listing: shown } = await client.getListing({ listingId: listing.id });
  expect(shown.pictures).toMatchObject([{ width: 1200, height: 600 }]);
  const [picture] = shown.pictures;
  const site = new URL(baseUrl).origin;
  for (const [path, type, first] of [
    [picture?.small ?? '', 'image/webp', 'RIFF'],
    [picture?.large ?? '', 'image/jpeg', '\u00ff\u00d8'],
  ] as const) {
    const own = path.replace('/marketplace', '');
    const response = await fetch(site + own);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=86400',
    });
    expect(bytes.toString('latin1')).toMatch(new RegExp(`^${first}`));
    expect(bytes.toString('latin1')).not.toContain('script');
    expect(bytes.length).toBeLessThan(60_000);
    const again = await fetch(site + own, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  }

  const page = await (await fetch(`${site}/listings/${listing.id}`)).text();
  const large = picture?.large.replace('/marketplace', '') ?? '';
  expect(page).toContain(`<meta property="og:image" content="${site}${large}"/>`);
  expect(page).toContain(`"image":["${site}${large}"]`);
  expect(page).toContain(`src="${large}"`);
  expect(page).not.toContain(`src="${origin}`);
  const list = await (await fetch(`${site}/listings?q=harbour`)).text();
  expect(list).toContain(`src="${picture?.small.replace('/marketplace', '')}"`);
  expect((await fetch(`${site}/listings/${listing.id}/images/${'0'.repeat(64)}`)).status).toBe(404);
  await server.close();
});
