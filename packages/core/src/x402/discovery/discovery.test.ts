import { describe, expect, it } from 'vitest';
import { createQueryMarketplace } from '../../testing/marketplace/query-marketplace.ts';

const x402 = createQueryMarketplace();
const { sales, chain } = x402;

interface Found {
  readonly resources: readonly {
    readonly resource: string;
    readonly serviceName: string;
    readonly tags: readonly string[];
    readonly extensions: { readonly bazaar: { readonly info: { readonly output: object } } };
  }[];
  readonly partialResults: boolean;
  readonly pagination: { readonly limit: number; readonly cursor: string | null };
}

async function search(parameters: Readonly<Record<string, string>>): Promise<Found> {
  const { status, body, text } = await x402.get(`/x402/discovery/search?${new URLSearchParams(parameters)}`);
  expect(status, text).toBe(200);
  return body as Found;
}

const idsOf = ({ resources }: Found) =>
  resources.map(({ resource }) => /listings\/([^/]+)\/query$/.exec(resource)?.[1]);

describe('searching what can be paid for', () => {
  it('finds by words what can be paid for, and nothing else', async () => {
    const paid = await sales.listing({ title: 'Lighthouse beams of Finistere', priceCents: 5 });
    await sales.listing({ title: 'Lighthouse beams for nothing', priceCents: 0 });
    const meter = { unit: 'page', unitPriceMicros: 20_000, maxUnits: 5 } as const;
    await sales.listing({ title: 'Lighthouse beams by the page', priceCents: 10, meter });
    expect(idsOf(await search({ query: 'lighthouse beams' }))).toEqual([paid.id]);
    expect(idsOf(await search({ query: 'nothing has this word zzyzx' }))).toEqual([]);
  });

  it('leads on by its cursor until there is no more, and shows each once', async () => {
    for (const n of [1, 2, 3]) await sales.listing({ title: `Buoy number ${n}`, priceCents: 5 });
    const first = await search({ query: 'buoy', limit: '2' });
    expect(first).toMatchObject({ partialResults: true, pagination: { limit: 2 } });
    const rest = await search({ query: 'buoy', limit: '2', cursor: first.pagination.cursor ?? '' });
    expect(rest).toMatchObject({ partialResults: false, pagination: { cursor: null } });
    expect(new Set([...idsOf(first), ...idsOf(rest)]).size).toBe(3);
  });

  it.each([
    [{ payTo: 'own' }, 1],
    [{ payTo: `0x${'1'.repeat(40)}` }, 0],
    [{ scheme: 'exact' }, 1],
    [{ scheme: 'upto' }, 0],
    [{ network: 'base' }, 1],
    [{ network: 'eip155:8453' }, 1],
    [{ network: 'eip155:1' }, 0],
    [{ extensions: 'bazaar' }, 1],
    [{ extensions: 'eip2612GasSponsoring' }, 0],
    [{ type: 'http' }, 1],
    [{ type: 'mcp' }, 0],
  ])('filters by %o, and so does the list', async (filter: Readonly<Record<string, string>>, count) => {
    const { id } = await sales.listing({ title: `Tide gauge ${JSON.stringify(filter)}`, priceCents: 5 });
    const own = filter.payTo === 'own' ? { payTo: chain.payTo.toUpperCase().replace('0X', '0x') } : filter;
    const found = await search({ query: `tide gauge ${JSON.stringify(filter)}`, limit: '1', ...own });
    expect(idsOf(found)).toEqual(count === 1 ? [id] : []);
    const listed = await x402.get(`/x402/discovery/resources?${new URLSearchParams({ limit: '1', ...own })}`);
    expect(listed.body.items).toHaveLength(count);
    expect(listed.body.pagination.total > 0).toBe(count === 1);
  });

  it('names the service, five tags that indexes accept, and an example that fits the schema of answers', async () => {
    const outputSchema = { type: 'object', required: ['low'], properties: { low: { type: 'string' } } };
    await sales.listing({
      title: 'Sextant corrections',
      priceCents: 5,
      preview: { low: '04:12' },
      outputSchema,
      contextTags: ['Ocean', 'océan', 'ocean', 'x'.repeat(33), 'a', 'b', 'c', 'd'],
    });
    const [one] = (await search({ query: 'sextant corrections' })).resources;
    expect(one?.serviceName).toMatch(/^[\x20-\x7e]{1,32}$/);
    expect(one?.tags.slice(1)).toEqual(['Ocean', 'a', 'b', 'c']);
    expect(one?.extensions.bazaar.info.output).toEqual({ type: 'json', example: { low: '04:12' } });
  });

  it('gives no example that is no answer', async () => {
    const outputSchema = { type: 'object', required: ['low'] };
    const preview = { harbours: ['Brest'] };
    await sales.listing({ title: 'Astrolabe corrections', priceCents: 5, preview, outputSchema });
    const [one] = (await search({ query: 'astrolabe corrections' })).resources;
    expect(one?.extensions.bazaar.info.output).toEqual({ type: 'json' });
  });
});
