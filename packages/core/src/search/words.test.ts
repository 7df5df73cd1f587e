import { beforeAll, describe, expect, it } from 'vitest';
import { refreshSearchDocuments } from '../listings/refresh-search-documents.ts';
import { newListingOf, verifiedSellerOf } from '../testing/fixtures/new-listing.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const ids = new Map<string, string>();

let seller: Awaited<ReturnType<typeof verifiedSellerOf>>;

async function put(title: string, description: string, fields: object = {}): Promise<void> {
  ids.set(title, (await newListingOf(market, { title, description, ...fields }, seller)).id);
  market.clock.advance(60_000);
}

beforeAll(async () => {
  seller = await verifiedSellerOf(market);
  await put('Exchange rates of central banks', 'Daily reference rates.', { vertical: 'market-data' });
  await put('Photographs of lighthouses', 'Harbours and coasts.', { contextTags: ['maritime', 'Brittany'] });
  await put('Tide tables', 'High water at forty harbours, with exchange of older years.');
});

async function search(q: string, further: Record<string, string> = {}) {
  const response = await market.request(
    'GET',
    `/marketplace/listings?${new URLSearchParams({ q, ...further })}`,
  );
  const { body } = await readSigned(response);
  const { listings, matched, correctedQuery, total } = body as {
    listings: { title: string }[];
    matched: string;
    correctedQuery?: string;
    total: number;
  };
  expect(total).toBe(listings.length);
  return { titles: listings.map(({ title }) => title), matched, correctedQuery };
}

describe('a search for words', () => {
  it('finds other forms of a word', async () => {
    expect(await search('photograph of a lighthouse')).toMatchObject({
      titles: ['Photographs of lighthouses'],
      matched: 'any',
    });
    expect(await search('harbour')).toEqual({
      titles: ['Tide tables', 'Photographs of lighthouses'],
      matched: 'all',
    });
  });

  it('gives rows with every word first and alone, in the order of the contract', async () => {
    expect(await search('exchange')).toEqual({
      titles: ['Tide tables', 'Exchange rates of central banks'],
      matched: 'all',
    });
    expect((await search('exchange', { sort: 'relevance' })).titles).toEqual([
      'Exchange rates of central banks',
      'Tide tables',
    ]);
    expect((await search('exchange rates')).titles).toEqual(['Exchange rates of central banks']);
  });

  it('finds what tags and the vertical say, if no text has every word', async () => {
    expect(await search('maritime')).toMatchObject({
      titles: ['Photographs of lighthouses'],
      matched: 'any',
    });
    expect(await search('candles')).toMatchObject({
      titles: ['Exchange rates of central banks'],
      matched: 'any',
    });
  });

  it('replaces a word that no listing has by the nearest, and says so', async () => {
    expect(await search('exchnage  rates!')).toEqual({
      titles: ['Exchange rates of central banks'],
      matched: 'all',
      correctedQuery: 'exchange  rates!',
    });
    expect((await search('tabels of tdie')).correctedQuery).toBe('tables of tide');
    expect(await search('litehouses in britany')).toMatchObject({
      titles: ['Photographs of lighthouses'],
      matched: 'any',
      correctedQuery: 'lighthouses in brittany',
    });
    expect(await search('zzzzzz')).toEqual({ titles: [], matched: 'any' });
    expect(await search('ratez2026')).toEqual({ titles: [], matched: 'any' });
  });

  it('looks wider where a filter leaves none with every word', async () => {
    expect(await search('exchange tables', { category: 'data', vertical: 'market-data' })).toMatchObject({
      titles: ['Exchange rates of central banks'],
      matched: 'any',
    });
  });

  it('takes nothing for syntax', async () => {
    for (const q of [
      'NEAR(tide tables)',
      'tide* OR x',
      'tags:maritime',
      '"tide',
      "ti'de",
      '{title} : tide',
      ') OR (tide',
    ])
      await search(q);
    expect((await search('?!')).titles).toEqual([]);
  });
});

it('forgets the words of a document with it', async () => {
  const words = async () => {
    const { results } = await testBindings.SEARCH.prepare(
      "SELECT word FROM spellings WHERE word LIKE 'lighthou%' UNION SELECT word FROM spelling_trigrams WHERE word LIKE 'lighthou%'",
    ).all<{ word: string }>();
    return results.map(({ word }) => word);
  };
  const id = ids.get('Photographs of lighthouses') ?? '';
  expect(await words()).toEqual(['lighthouses']);
  await testBindings.DB.prepare("UPDATE listings SET title = 'Photographs of piers' WHERE id = ?")
    .bind(id)
    .run();
  await refreshSearchDocuments(market.newPorts(), [id]);
  expect(await words()).toEqual([]);
  expect((await search('piers')).titles).toEqual(['Photographs of piers']);
});

it('puts a title with every word before a description that repeats them', async () => {
  await put('Planet clock: the hour in every city', 'What time it is, in forty places.');
  for (const place of ['one', 'two', 'three'])
    await put(`Junk clock ${place}`, 'clock planet '.repeat(700), { vertical: 'market-data' });
  const { titles, matched } = await search('planet clock', { sort: 'relevance' });
  expect([titles.length, matched, titles[0]]).toEqual([4, 'all', 'Planet clock: the hour in every city']);
});

it('takes no word for another that merely resembles it', async () => {
  await put('Span and hold of bridges', 'Daylight on the liter, transmitted to work hearts in tokens.');
  for (const q of ['Japan', 'gold', 'light', 'Jupiter', 'York', 'Tokyo', 'heavy'])
    expect([q, (await search(q)).correctedQuery]).toEqual([q, undefined]);
});
