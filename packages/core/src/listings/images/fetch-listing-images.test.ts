import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { sweepAttachments } from '../../inquiries/index.ts';
import type { DrawnPicture, ImageReply } from '../../kernel/ports/images/image-fetcher.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time.ts';
import { eraseAccount } from '../../privacy/erasure/erase-account.ts';
import { breakCommit } from '../../testing/doubles/break-commit.ts';
import { FakeImageFetcher, pictureAt } from '../../testing/doubles/fake-image-fetcher.ts';
import { newListingOf, verifiedSellerOf } from '../../testing/fixtures/new-listing.ts';
import { addPendingListing, newSellerOf } from '../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { fetchListingImages } from './fetch-listing-images.ts';

const images = new FakeImageFetcher();
const market = createTestMarketplace({ overrides: { images } });
let hosts = 0;
/** On a host of its own: each may be called so often a day. */
function newUrl(): string {
  hosts += 1;
  return `https://pictures-${hosts}.example.com/a.png`;
}

beforeEach(() => {
  images.urls.length = 0;
  images.script = pictureAt;
  market.attachments.fault = () => undefined;
  market.clock.advance(DAY_MS);
});

const run = () => fetchListingImages(market.newPorts());

interface Shown {
  readonly pictures: readonly { large: string; small: string; width: number; height: number }[];
  readonly images: readonly string[];
}

async function read(id: string): Promise<Shown> {
  const { body } = await readSigned(await market.request('GET', `/marketplace/listings/${id}`));
  return (body as unknown as { listing: Shown }).listing;
}

async function browsed(id: string): Promise<Shown | undefined> {
  const { body } = await readSigned(await market.request('GET', '/marketplace/listings?limit=100'));
  return (body as unknown as { listings: (Shown & { id: string })[] }).listings.find((one) => one.id === id);
}

/** What a try must leave as it found it, if nobody heard of its end. */
async function bytesAt(url: string): Promise<readonly string[]> {
  const reply = pictureAt(url) as Extract<ImageReply, { kind: 'fetched' }>;
  return Promise.all([reply.small, reply.large].map(({ bytes }: DrawnPicture) => sha256Hex(bytes)));
}

describe('the pictures of a listing', () => {
  it('are fetched once, in their order, and shown in its answers, lists and by their own path', async () => {
    const urls = [newUrl(), newUrl(), newUrl()];
    // One answers later than the others.
    const { id } = await newListingOf(market, { images: urls });
    images.script = (url) => (url === urls[0] ? { kind: 'failed' } : pictureAt(url));
    await run();
    expect((await read(id)).pictures).toHaveLength(2);
    images.script = pictureAt;
    market.clock.advance(2 * MINUTE_MS);
    await run();
    await run();
    expect(images.urls.toSorted()).toEqual([...urls, urls[0] ?? ''].toSorted());

    const { pictures, images: named } = await read(id);
    expect(named).toEqual(urls);
    const expected = await Promise.all(urls.map(bytesAt));
    expect(pictures).toEqual(
      expected.map(([small, large]) => ({
        height: 900,
        large: `/marketplace/listings/${id}/images/${large}`,
        small: `/marketplace/listings/${id}/images/${small}`,
        width: 1200,
      })),
    );
    expect((await browsed(id))?.pictures).toEqual(pictures);

    for (const [path, type] of [
      [pictures[0]?.small, 'image/webp'],
      [pictures[0]?.large, 'image/jpeg'],
    ]) {
      const response = await market.request('GET', path ?? '');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(await sha256Hex(new Uint8Array(await response.arrayBuffer()))).toBe(path?.slice(-64));
    }
  });

  it('are shown once where they are the same, at one address or at many, and each address is asked once', async () => {
    const [first = '', ...same] = Array.from({ length: 7 }, newUrl);
    const { id } = await newListingOf(market, { images: [...same, first, first] });
    images.script = (url) => pictureAt(url === first ? first : (same[0] ?? ''));
    await run();
    await run();
    const expected = await Promise.all([same[0] ?? '', first].map(bytesAt));
    const { pictures, images: named } = await read(id);
    expect(named).toEqual([...same, first, first]);
    expect(pictures.map(({ large }) => large.slice(-64))).toEqual(expected.map(([, large]) => large));
    expect(images.urls.toSorted()).toEqual([...same, first].toSorted());
  });

  it('are asked for by no reader', async () => {
    const { id } = await newListingOf(market, { images: [newUrl()] });
    await read(id);
    await browsed(id);
    expect((await market.request('GET', `/marketplace/listings/${id}/images/${'0'.repeat(64)}`)).status).toBe(
      404,
    );
    expect(images.urls).toEqual([]);
  });

  it('of another listing are not had by this one', async () => {
    const [one, other] = [await newListingOf(market, { images: [newUrl()] }), await newListingOf(market)];
    await run();
    const [picture] = (await read(one.id)).pictures;
    const path = picture?.large.replace(one.id, other.id) ?? '';
    expect((await market.request('GET', path)).status).toBe(404);
  });

  it('are not fetched before it is for sale, nor after; taken off, it shows none, and back again the same', async () => {
    const seller = await newSellerOf(market);
    const url = newUrl();
    await addPendingListing(market, seller.id, { images: [url] });
    await run();
    expect(images.urls).toEqual([]);

    const listing = await newListingOf(market, { images: [newUrl()] });
    const path = `/marketplace/listings/${listing.id}`;
    const set = (active: boolean) =>
      market.request('PATCH', path, { body: { active }, apiKey: listing.seller.apiKey });
    await set(false);
    await run();
    expect(images.urls).toEqual([]);
    await set(true);
    await run();
    expect(images.urls).toHaveLength(1);
    const [picture] = (await read(listing.id)).pictures;
    await set(false);
    expect((await read(listing.id)).pictures).toEqual([]);
    expect((await market.request('GET', picture?.small ?? '')).status).toBe(404);
    await set(true);
    await run();
    expect(images.urls).toHaveLength(1);
    expect((await read(listing.id)).pictures).toEqual([picture]);
  });

  it('that are none are never asked for again', async () => {
    const { id } = await newListingOf(market, { images: [newUrl()] });
    images.script = () => ({ kind: 'refused', reason: 'not_an_image' });
    await run();
    market.clock.advance(3 * DAY_MS);
    await run();
    expect(images.urls).toHaveLength(1);
    expect((await read(id)).pictures).toEqual([]);
  });

  it('that nobody gives are tried eight times in a day, then no more', async () => {
    await newListingOf(market, { images: [newUrl()] });
    images.script = () => ({ kind: 'failed' });
    for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 10) {
      await run();
      market.clock.advance(10 * MINUTE_MS);
    }
    expect(images.urls).toHaveLength(8);
  });
});

describe('what a stranger can have the marketplace fetch in a day', () => {
  it('is bounded for a key that never paid, and the rest follows tomorrow', async () => {
    const seller = await verifiedSellerOf(market);
    for (let n = 0; n < 6; n += 1)
      await newListingOf(
        market,
        { title: `Many pictures ${n}`, images: Array.from({ length: 8 }, newUrl) },
        seller,
      );
    for (let n = 0; n < 5; n += 1) await run();
    expect(images.urls).toHaveLength(40);
    market.clock.advance(DAY_MS);
    await run();
    expect(images.urls).toHaveLength(48);
  });
});

describe('a failure at any point', () => {
  const stored = () => market.attachments.objects.size;
  const clean = async () => {
    for (let minutes = 0; minutes < 2 * 24 * 60; minutes += 1) {
      market.clock.advance(MINUTE_MS);
      await sweepAttachments(market.newPorts());
    }
  };

  it.each(['lose_request', 'lose_reply'] as const)(
    'of the store (%s) leaves no byte of nobody',
    async (fault) => {
      const url = newUrl();
      const { id } = await newListingOf(market, { images: [url] });
      market.attachments.fault = (action) => (action === 'put' ? fault : undefined);
      await run();
      expect((await read(id)).pictures).toEqual([]);
      market.attachments.fault = () => undefined;
      market.clock.advance(2 * MINUTE_MS);
      await run();
      expect((await read(id)).pictures).toHaveLength(1);
      await clean();
      for (const sha256 of await bytesAt(url)) expect(market.attachments.objects.has(sha256)).toBe(true);
    },
  );

  it('of any commit ends with the picture shown and its bytes kept', async () => {
    for (let at = 0; at < 12; at += 1) {
      const url = newUrl();
      const { id } = await newListingOf(market, { title: `Broken at ${at}`, images: [url] });
      const ports = market.newPorts();
      await fetchListingImages({ ...ports, market: breakCommit(ports.market, at) }).catch(() => 0);
      market.clock.advance(2 * MINUTE_MS);
      await run();
      market.clock.advance(5 * MINUTE_MS);
      await run();
      expect((await read(id)).pictures, `commit ${at}`).toHaveLength(1);
    }
    const before = stored();
    await clean();
    expect(stored()).toBe(before);
  });

  it('an erasure takes the bytes, and those that another listing shows as well stay', async () => {
    const shared = newUrl();
    const [own, other] = [newUrl(), await newListingOf(market, { images: [shared] })];
    const { id, seller } = await newListingOf(market, { images: [own, shared] });
    await run();
    expect((await read(id)).pictures).toHaveLength(2);
    await market.newPorts().market.commit(eraseAccount(seller.id, 'd'.repeat(64)));
    await sweepAttachments(market.newPorts());
    const has = async (url: string) =>
      (await bytesAt(url)).map((sha256) => market.attachments.objects.has(sha256));
    expect(await has(own)).toEqual([false, false]);
    expect(await has(shared)).toEqual([true, true]);
    expect((await read(other.id)).pictures).toHaveLength(1);
    const { results } = await testBindings.DB.prepare('SELECT pictures FROM listings WHERE id = ?')
      .bind(id)
      .all();
    expect(results).toEqual([{ pictures: '[]' }]);
  });
});
