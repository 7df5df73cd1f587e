import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { expect, test, vi } from 'vitest';
import type { Deliver } from './messages.ts';
import { metered } from './metered.ts';
import { type PollDeliveriesOptions, pollDeliveries } from './poll-deliveries.ts';

function message(id: string, request: JsonObject) {
  return { id, type: String(request.type), request, expiresAt: '2026-06-01T12:00:30.000Z' };
}

/** Serves one list of messages per look, then aborts. */
function setup(looks: readonly (readonly object[] | Error)[]) {
  const controller = new AbortController();
  const answers = new Map<string, unknown>();
  let look = 0;
  const client = {
    async answerDelivery({ id, ...answer }: { id: string }) {
      answers.set(id, answer);
      return {};
    },
    async listDeliveries() {
      const deliveries = looks[look++] ?? [];
      if (look >= looks.length) controller.abort();
      if (deliveries instanceof Error) throw deliveries;
      return { deliveries };
    },
  } as unknown as PollDeliveriesOptions['client'];
  const onError = vi.fn();
  return { client, answers, onError, signal: controller.signal, sleep: async () => {} };
}

const wants = (listingId: string): JsonObject => ({ type: 'delivery_request', listingId, query: {} });

test('answers challenges and deliveries, and finishes what is under way', async () => {
  const { answers, ...setting } = setup([
    [message('1', { type: 'verification_challenge', nonce: 'n' }), message('2', wants('sold'))],
    [
      message('2', wants('sold')),
      message('3', wants('gone')),
      message('4', wants('broken')),
      message('5', wants('metered')),
    ],
  ]);
  const deliver = vi.fn<Deliver>(async ({ listingId }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (listingId === 'broken') throw new Error('broken');
    if (listingId === 'metered') return metered({ listingId }, 7);
    return listingId === 'gone' ? null : { listingId };
  });
  await pollDeliveries({ ...setting, deliver });
  expect(Object.fromEntries(answers)).toEqual({
    '1': { nonce: 'n' },
    '2': { data: { listingId: 'sold', __sha256: expect.stringMatching(/^sha256:/) } },
    '3': { available: false },
    '4': { available: false },
    '5': { data: { listingId: 'metered', __sha256: expect.stringMatching(/^sha256:/) }, units: 7 },
  });
  expect(deliver).toHaveBeenCalledTimes(4);
  expect(setting.onError).toHaveBeenCalledOnce();
});

test('goes on after a failed call', async () => {
  const { answers, ...setting } = setup([new Error('down'), [message('1', wants('x'))], []]);
  await pollDeliveries({ ...setting, deliver: () => ({ a: 1 }), addSha256: false });
  expect(setting.onError).toHaveBeenCalledOnce();
  expect(answers.get('1')).toEqual({ data: { a: 1 } });
});

test('does not answer again what was answered while the list was on its way', async () => {
  const { answers, client, ...setting } = setup([
    [message('1', wants('sold'))],
    [message('1', wants('sold'))],
  ]);
  const answered = Promise.withResolvers<void>();
  let looks = 0;
  const slow = {
    answerDelivery: async (answer: { id: string }) => {
      await client.answerDelivery(answer as never);
      answered.resolve();
      return {};
    },
    listDeliveries: async () => {
      looks += 1;
      // The second list was made before the answer came, and arrives after it.
      if (looks === 2) await answered.promise.then(() => new Promise((resolve) => setTimeout(resolve)));
      return client.listDeliveries();
    },
  } as unknown as PollDeliveriesOptions['client'];
  const deliver = vi.fn<Deliver>(async () => ({}));
  await pollDeliveries({ ...setting, client: slow, deliver });
  expect([answers.size, deliver.mock.calls.length]).toEqual([1, 1]);
});
