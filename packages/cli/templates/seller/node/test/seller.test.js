// @ts-check
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestBuyer, describeReport } from '@agent-marketplace/sdk/seller/test-buyer';
import { listing } from '../src/product.js';
import { startEndpoint } from '../testing/start-endpoint.js';

// Asks the endpoint as the marketplace would. Nothing is registered, and nothing leaves this machine.

const callbackUrl = 'https://seller.example/deliver';
const sellerId = 'test-seller';
const buyer = await createTestBuyer({ callbackUrl, sellerId });
/** @type {Awaited<ReturnType<typeof startEndpoint>>} */
let started;
before(async () => {
  started = await startEndpoint({ marketplace: buyer.keys, callbackUrl, sellerId });
});
after(() => started.close());

test('answers the challenge of the marketplace', async () => {
  const report = await buyer.challenge(started.endpoint);
  assert.equal(report.verdict, 'verified', describeReport(report));
});

test('delivers what the preview promises, and the same again to a buyer who lost it', async () => {
  const purchase = { purchaseId: crypto.randomUUID(), query: listing.exampleQuery };
  const report = await buyer.buy(started.endpoint, purchase);
  console.log(describeReport(report));
  assert.equal(report.verdict, 'delivered', report.explanation);
  assert.deepEqual(report.content, listing.preview);
  const again = await buyer.buy(started.endpoint, { ...purchase, redelivery: 1 });
  assert.equal(again.answer?.body, report.answer?.body);
});

test('refuses a query that it cannot answer', async () => {
  /** @type {Record<string, string>[]} */
  const queries = [{}, { date: 'tomorrow' }, { date: '2026-13-01' }];
  for (const query of queries) {
    const report = await buyer.buy(started.endpoint, { query });
    assert.equal(report.verdict, 'query_refused', describeReport(report));
  }
});
