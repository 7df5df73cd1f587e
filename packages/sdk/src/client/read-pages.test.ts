import { afterAll, expect, test } from 'vitest';
import { failure, problem, startClientBench } from '../testing/client-bench.ts';
import { MarketplaceError } from './errors.ts';

const { stub, clientOf } = await startClientBench();
afterAll(() => stub.close());

test('goes by the cursor of each answer, and keeps the rest of the input', async () => {
  stub.answers(
    { body: { limit: 2, nextCursor: 'c-2', purchases: [1, 2] } },
    { body: { limit: 2, nextCursor: null, purchases: [3] } },
  );
  const seen: unknown[] = [];
  for await (const { purchases } of clientOf().pages('listPurchases', { limit: 2 })) seen.push(...purchases);
  expect(seen).toEqual([1, 2, 3]);
  expect(stub.calls.map(({ path }) => path)).toEqual([
    '/api/purchases?limit=2',
    '/api/purchases?limit=2&cursor=c-2',
  ]);
});

test('goes by the offset where there is no cursor, asks no page too many, and ends where its reader does', async () => {
  const page = (offset: number) => ({ body: { listings: [{ id: offset }], limit: 1, offset, total: 3 } });
  stub.answers(page(0), page(1), page(2), problem(500, 'internal_error'));
  const seen: unknown[] = [];
  for await (const { listings } of clientOf().pages('browseListings')) seen.push(...listings);
  expect(seen).toEqual([{ id: 0 }, { id: 1 }, { id: 2 }]);
  expect(stub.calls).toHaveLength(3);

  stub.answers(page(0), page(1));
  for await (const _ of clientOf().pages('browseListings')) break;
  expect(stub.calls).toHaveLength(1);
});

test('reads the items of all pages, and asks for no page before the one before was dealt with', async () => {
  const first = { limit: 2, nextCursor: 'c-2', purchases: [{ id: 'p-1' }, { id: 'p-2' }] };
  stub.answers({ body: first }, { body: { limit: 2, nextCursor: null, purchases: [{ id: 'p-3' }] } });
  const seen: [string, number][] = [];
  for await (const { id } of clientOf().items('listPurchases', 'purchases', { limit: 2 }))
    seen.push([id, stub.calls.length]);
  expect(seen).toEqual([
    ['p-1', 1],
    ['p-2', 1],
    ['p-3', 2],
  ]);
  // @ts-expect-error: it is no list of that answer.
  clientOf().items('listPurchases', 'limit');
});

test('rejects as its operation does, and with the reason of its signal', async () => {
  stub.answers({ body: { nextCursor: 'c-2', purchases: [] } }, problem(401, 'invalid_api_key'));
  const controller = new AbortController();
  const pages = clientOf().pages('listPurchases', {}, { signal: controller.signal });
  await pages.next();
  expect(await failure(pages.next())).toBeInstanceOf(MarketplaceError);

  stub.answers({ body: { nextCursor: 'c-2', purchases: [] } });
  const aborted = clientOf().pages('listPurchases', {}, { signal: controller.signal });
  await aborted.next();
  controller.abort(new Error('enough'));
  expect(await failure(aborted.next())).toMatchObject({ message: 'enough' });
});
