import { describe, expect, it } from 'vitest';
import { readListingRatings } from '../ratings/read-listing-ratings.ts';
import { readDemandLedger } from './read-demand-ledger.ts';

// Whoever is to be convicted by what is read may answer with anything: it is kept as it came, and reading ends.

describe.each([
  '',
  '<p>Down.</p>',
  'null',
  '[]',
  '{}',
  '{"nextCursor": 7, "nextAfter": "x", "total": "many"}',
])('an answer of %j', (answer) => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    if (asked > 10) throw new Error('It goes on and on.');
    return answer;
  };

  it('ends the reading of a demand ledger', async () => {
    const pages = await readDemandLedger(ask);
    expect(pages).toEqual({ rows: [answer], removed: [answer], affiliated: [answer] });
  });

  it('ends the reading of ratings', async () => {
    expect(await readListingRatings('l-1', ask)).toEqual({ listingId: 'l-1', history: [], pages: [answer] });
  });
});

it('ratings of which more are counted than shown are read up to the last page', async () => {
  const ratings = (count: number) => JSON.stringify({ total: 1e9, ratings: Array(count).fill({}) });
  const texts = [ratings(100), ratings(100), ratings(7)];
  let asked = 0;
  const ask = async (path: string) => (path.endsWith('/history') ? '{}' : (texts[asked++] ?? ''));
  expect((await readListingRatings('l-1', ask)).pages).toEqual(texts);
});

it('a history whose next page is one of before is read once', async () => {
  const ask = async () => '{"entries": [], "nextAfter": 0}';
  expect((await readListingRatings('l-1', ask)).history).toEqual([]);
});
