import { expect, test } from 'vitest';
import { MarketplaceError } from './errors.ts';
import { type Purchase, waitForPurchase } from './wait-for-purchase.ts';

const refusal = (code: MarketplaceError['code']) =>
  new MarketplaceError({ code, message: code, status: 409, retryable: true, idempotencyKey: null });

/** Answers in order; the last one is repeated. Counts looks and pauses. */
function shop(...script: (Partial<Purchase> | Error)[]) {
  const looks: string[] = [];
  const pauses: number[] = [];
  return {
    looks,
    pauses,
    client: {
      async getPurchase({ purchaseId }: { readonly purchaseId: string }) {
        looks.push(purchaseId);
        const next = script.length > 1 ? script.shift() : script[0];
        if (next instanceof Error) throw next;
        return next as Purchase;
      },
    },
    sleep: async (durationMs: number) => {
      pauses.push(durationMs);
    },
  };
}
const PENDING = { status: 'pending_payment', contentStatus: 'awaiting_payment' } as const;
const HELD = { status: 'held', contentStatus: 'delivered' } as const;

test('looks until the content is there', async () => {
  const { client, sleep, looks, pauses } = shop(PENDING, refusal('purchase_in_progress'), PENDING, HELD);
  expect(await waitForPurchase(client, 'p-1', { sleep })).toEqual(HELD);
  expect(looks).toEqual(['p-1', 'p-1', 'p-1', 'p-1']);
  expect(pauses).toEqual([2000, 2000, 2000]);
});

test('looks until what the caller waits for', async () => {
  const { client, sleep, pauses } = shop(HELD, { ...HELD, status: 'released' });
  const until = ({ status }: Purchase) => status === 'released';
  expect(await waitForPurchase(client, 'p-1', { until, intervalMs: 60_000, sleep })).toMatchObject({
    status: 'released',
  });
  expect(pauses).toEqual([60_000]);
});

test.each(['refunded', 'expired', 'failed'] as const)('is over when the purchase is %s', async (status) => {
  const { client, sleep } = shop(PENDING, { status, contentStatus: 'withheld' });
  expect(await waitForPurchase(client, 'p-1', { until: () => false, sleep })).toMatchObject({ status });
});

test('rejects if the seller does not deliver', async () => {
  const { client, sleep, looks } = shop(PENDING, refusal('delivery_unavailable'));
  await expect(waitForPurchase(client, 'p-1', { sleep })).rejects.toMatchObject({
    code: 'delivery_unavailable',
  });
  expect(looks).toHaveLength(2);
});

test('stops when it is told to', async () => {
  const stop = new AbortController();
  const { client, looks } = shop(PENDING);
  const waiting = waitForPurchase(client, 'p-1', { signal: stop.signal, intervalMs: 60_000 });
  setTimeout(() => stop.abort(new Error('enough')), 5);
  await expect(waiting).rejects.toThrow('enough');
  expect(looks).toHaveLength(1);
});
