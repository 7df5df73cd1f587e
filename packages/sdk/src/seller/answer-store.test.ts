import { expect, test, vi } from 'vitest';
import { createAnswerer, memoryAnswers } from './answer-store.ts';
import { metered } from './metered.ts';

test.each([
  ['data', (price: number) => ({ price }), { data: '{"price":1}', units: null }],
  ['metered data', (price: number) => metered({ price }, 7), { data: '{"price":1}', units: 7 }],
])('two requests for one purchase at once are answered the same %s, also later', async (_, made, answer) => {
  let computed = 0;
  const deliver = async () => {
    computed += 1;
    return made(computed);
  };
  const answerer = createAnswerer({ deliver, addSha256: false, answers: memoryAnswers(), onError: vi.fn() });
  const request = {
    fingerprint: `sha256:${'0'.repeat(64)}`,
    issuedAt: '',
    listingId: 'l-1',
    query: {},
    title: 'Prices',
    type: 'delivery_request',
    verticalSlug: 'finance',
  } as const;
  const purpose = { sellerId: 's-1', purchaseId: 'p-1', redelivery: 0 };
  const all = await Promise.all([answerer(request, purpose), answerer(request, purpose)]);
  expect([...all, await answerer(request, purpose)]).toEqual([answer, answer, answer]);
});

test.each([0, -1, 1.5, Number.NaN])('%s is no number of units', (units) => {
  expect(() => metered({}, units)).toThrow(TypeError);
});
