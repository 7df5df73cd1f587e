import { expect, it } from 'vitest';
import type { JobMessage } from '../../kernel/ports/job-queue.ts';
import { createJobQueue } from './job-queue.ts';

const WAKE_UP: JobMessage = { kind: 'outbox' };

function newQueue() {
  const sent: JobMessage[] = [];
  const wakers: (() => void)[] = [];
  let now = 0;
  const clock = { now: () => now, sleep: () => new Promise<void>((resolve) => wakers.push(resolve)) };
  const queue = { send: async (message: JobMessage) => void sent.push(message) };
  return {
    sent,
    wakers,
    advance: (durationMs: number) => {
      now += durationMs;
    },
    jobs: createJobQueue(queue as unknown as Queue<JobMessage>, clock),
  };
}

it('sends one wake-up for all that ask within its wait, and another for those that come later', async () => {
  const { jobs, sent, wakers } = newQueue();
  const first = jobs.send(WAKE_UP);
  await jobs.send(WAKE_UP);
  await jobs.send(WAKE_UP);
  expect([sent.length, wakers.length]).toEqual([0, 1]);
  wakers[0]?.();
  await first;
  expect(sent).toEqual([WAKE_UP]);

  const second = jobs.send(WAKE_UP);
  wakers[1]?.();
  await second;
  expect(sent.length).toBe(2);
});

it('sends a message for each purchase at once, to arrive when it is due', async () => {
  const sent: unknown[] = [];
  const queue = { send: async (...message: unknown[]) => void sent.push(message) };
  const jobs = createJobQueue(queue as unknown as Queue<JobMessage>, {
    now: () => 0,
    sleep: () => new Promise(() => {}),
  });
  const message = (purchaseId: string) => ({ kind: 'collect' as const, purchaseId });
  await jobs.send(message('a'));
  await jobs.send(message('b'), 90_500);
  await jobs.send(message('c'), 24 * 3_600_000);
  expect(sent).toEqual([
    [message('a'), { contentType: 'json', delaySeconds: 0 }],
    [message('b'), { contentType: 'json', delaySeconds: 91 }],
    [message('c'), { contentType: 'json', delaySeconds: 43_200 }],
  ]);
});

it('does not wait for a sender that was cut off', async () => {
  const { jobs, sent, wakers, advance } = newQueue();
  void jobs.send(WAKE_UP);
  advance(1000);
  const second = jobs.send(WAKE_UP);
  wakers[1]?.();
  await second;
  expect(sent.length).toBe(1);
});
