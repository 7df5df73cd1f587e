import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deliver as askForData } from '@agent-marketplace/core/delivery/deliver.ts';
import type { Deliver } from '@agent-marketplace/sdk/seller';
import { type AnswerStore, memoryAnswers } from '@agent-marketplace/sdk/seller';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { startSellerBench, WANTED } from './seller-bench.ts';

const deliver = vi.fn<Deliver>();
const { open, close, ports, target, lastPost, post } = await startSellerBench(deliver);
// One place for all: it signs no two messages alike.
const marketplace = ports();
const directory = mkdtempSync(join(tmpdir(), 'answers-'));

/** What a seller would write: one file for each purchase. */
const fileAnswers: AnswerStore = {
  get(key) {
    try {
      return readFileSync(join(directory, key), 'utf8');
    } catch {
      return null;
    }
  },
  put: (key, answer) => writeFileSync(join(directory, key), answer),
};

afterAll(async () => {
  await close();
  rmSync(directory, { recursive: true });
});
let computed = 0;
beforeEach(() => {
  computed = 0;
  deliver.mockReset();
  // A live feed: computing the answer a second time gives another one.
  deliver.mockImplementation(async () => {
    computed += 1;
    return { price: computed };
  });
});

const purchase = (purchaseId: string, redelivery: number) => ({
  ...target(),
  purpose: { sellerId: 's-1', purchaseId, redelivery },
});
async function contentOf(purchaseId: string, redelivery: number): Promise<string> {
  const outcome = await askForData(marketplace, WANTED, purchase(purchaseId, redelivery));
  return outcome.kind === 'delivered' ? new TextDecoder().decode(outcome.content) : outcome.kind;
}

test('a seller is told which purchase a request is for, and how often it was asked before', async () => {
  open();
  await contentOf('p-1', 0);
  await contentOf('p-1', 3);
  expect(deliver.mock.calls.map(([, told]) => told)).toEqual([
    { sellerId: 's-1', purchaseId: 'p-1', redelivery: 0 },
    { sellerId: 's-1', purchaseId: 'p-1', redelivery: 3 },
  ]);
});

test('without a store it is computed every time', async () => {
  open();
  expect(await contentOf('p-1', 0)).not.toBe(await contentOf('p-1', 1));
});

test.each([
  ['memory', memoryAnswers()],
  ['files', fileAnswers],
])(
  'with a store in %s, a redelivery is byte-identical and computes nothing, after a restart too',
  async (kind, answers) => {
    open({ answers });
    const first = await contentOf(`${kind}-1`, 0);
    expect(await contentOf(`${kind}-1`, 1)).toBe(first);
    expect(await contentOf(`${kind}-2`, 0)).not.toBe(first);
    open({ answers });
    expect(await contentOf(`${kind}-1`, 2)).toBe(first);
    expect(computed).toBe(2);
  },
);

test('what has no data is not kept: there may be some later', async () => {
  open({ answers: memoryAnswers() });
  deliver.mockResolvedValueOnce(null);
  expect(await contentOf('p-1', 0)).toBe('unavailable');
  expect(await contentOf('p-1', 0)).toContain('"price":1');
});

test('headers that name another purchase are refused: nobody reads what somebody else bought', async () => {
  const answers = memoryAnswers();
  open({ answers });
  await contentOf('of-a-stranger', 0);
  await contentOf('my-own', 0);
  const { headers, body } = lastPost();
  // Nothing was seen before: only the signatures speak.
  open({ answers });
  for (const [name, value] of [
    ['x-mkt-purchase-id', 'of-a-stranger'],
    ['x-mkt-redelivery', '1'],
    ['x-mkt-seller-id', 's-2'],
    ['x-mkt-delivery-signature', headers.get('x-mkt-signature') ?? ''],
  ] as const) {
    const changed = new Headers(headers);
    changed.set(name, value);
    expect(await post(changed, body)).toEqual({ status: 401, body: { error: 'bad_delivery_signature' } });
  }
  // Without the second signature nothing is believed of the rest.
  const stripped = new Headers(headers);
  stripped.set('x-mkt-purchase-id', 'of-a-stranger');
  stripped.delete('x-mkt-delivery-signature');
  expect((await post(stripped, body)).body).toMatchObject({ data: { price: 3 } });
  expect(computed).toBe(3);
});

test('a store that fails costs no sale, and memory forgets the oldest first', async () => {
  const onError = vi.fn();
  const answers = { get: () => null, put: () => Promise.reject(new Error('full')) };
  open({ answers, onError });
  expect(await contentOf('p-1', 0)).toContain('"price":1');
  expect(onError).toHaveBeenCalledOnce();

  const small = memoryAnswers(10);
  for (const key of ['a', 'b', 'c']) small.put(key, '12345');
  expect(['a', 'b', 'c'].map((key) => small.get(key))).toEqual([null, '12345', '12345']);
});
