import { expect, test, vi } from 'vitest';
import { createAnswerer, memoryAnswers } from './answer-store.ts';

test('two requests for one purchase at once are answered the same', async () => {
  let computed = 0;
  const deliver = async () => {
    computed += 1;
    return { price: computed };
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
  expect(all).toEqual(['{"price":1}', '{"price":1}']);
});
