import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createSellerEndpoint } from '../index.ts';
import { createTestBuyer } from '../test-buyer/index.ts';
import { fileAnswers } from './file-answers.ts';

const root = mkdtempSync(join(tmpdir(), 'answers-'));
afterAll(() => rmSync(root, { recursive: true }));
const callbackUrl = 'https://seller.example/deliver';
const buyer = await createTestBuyer({ callbackUrl });

/** A live feed: computing an answer a second time gives another one. */
const bothBegan = Promise.withResolvers<void>();
let computed = 0;
const processOn = (directory: string, onError = vi.fn()) => ({
  onError,
  endpoint: createSellerEndpoint({
    marketplace: buyer.keys,
    callbackUrl,
    answers: fileAnswers(directory),
    onError,
    async deliver() {
      computed += 1;
      const price = computed;
      // Neither process finds what the other one kept before it began.
      if (computed === 2) bothBegan.resolve();
      await bothBegan.promise;
      return { price };
    },
  }),
});

test('a purchase gets one answer: after a restart, and from two processes at once', async () => {
  const directory = join(root, 'made/if/need/be');
  const purchaseId = crypto.randomUUID();
  const both = await Promise.all(
    [processOn(directory), processOn(directory)].map(({ endpoint }) => buyer.buy(endpoint, { purchaseId })),
  );
  expect(computed).toBe(2);
  const [first, second] = both.map(({ answer }) => answer?.body);
  expect(first).toBe(second);
  const restarted = processOn(directory);
  const repeated = await buyer.buy(restarted.endpoint, { purchaseId, redelivery: 1 });
  expect(repeated.answer?.body).toBe(first);
  expect(computed).toBe(2);
  const other = await buyer.buy(restarted.endpoint);
  expect(other.answer?.body).not.toBe(first);
  expect(restarted.onError).not.toHaveBeenCalled();

  const files = readdirSync(directory);
  expect(files).toHaveLength(2);
  for (const file of files) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('a directory that cannot be used costs no sale, and is told', async () => {
  const file = join(root, 'a-file');
  writeFileSync(file, '');
  const { endpoint, onError } = processOn(file);
  expect(await buyer.buy(endpoint)).toMatchObject({ verdict: 'delivered' });
  expect(onError.mock.calls.map(([error]) => error.code)).toEqual(['ENOTDIR', 'EEXIST']);
});

test('answers are removed when nobody asks for them any more, and not before', async () => {
  const directory = join(root, 'old');
  const days = { now: Date.now() };
  const store = fileAnswers(directory, { keepDays: 2, now: () => days.now });
  await store.put('s.one', '{}');
  days.now += 1.5 * 86_400_000;
  await store.put('s.two', '{}');
  expect(await store.get('s.one')).toBe('{}');
  days.now += 86_400_000;
  await store.put('s.three', '{}');
  expect(await store.get('s.one')).toBeNull();
});
