import { expect, test } from 'vitest';
import { BusyError, Slots } from './slots.ts';

const soon = () => AbortSignal.timeout(2000);
const briefly = () => AbortSignal.timeout(20);

test('at most so many hold a slot at once', async () => {
  const slots = new Slots(2, 2, 1);
  let held = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const { release } = await slots.take(`host-${n}`, 60_000, soon());
      most = Math.max(most, ++held);
      await new Promise((resolve) => setTimeout(resolve, 5));
      held--;
      release();
    }),
  );
  expect(most).toBe(2);
});

test('one owner has only its part', async () => {
  const slots = new Slots(4, 2, 1);
  const [first] = [await slots.take('a', 60_000, soon()), await slots.take('a', 60_000, soon())];
  await expect(slots.take('a', 60_000, briefly())).rejects.toThrow(BusyError);
  expect((await slots.take('b', 60_000, soon())).hasWaited).toBe(false);
  first.release();
  expect((await slots.take('a', 60_000, soon())).hasWaited).toBe(false);
});

test('who holds one hears of those who wait for it, and of no others', async () => {
  const slots = new Slots(3, 1, 1);
  const [a, b] = [await slots.take('a', 60_000, soon()), await slots.take('b', 60_000, soon())];
  await expect(slots.take('a', 60_000, briefly())).rejects.toThrow(BusyError);
  expect([a.isContended(), b.isContended()]).toEqual([true, false]);
  const c = await slots.take('c', 60_000, soon());
  await expect(slots.take('d', 60_000, briefly())).rejects.toThrow(BusyError);
  expect([a.isContended(), b.isContended(), c.isContended()]).toEqual([true, true, true]);
});

test('waiting ends with the time limit', async () => {
  const slots = new Slots(1, 1, 1);
  await slots.take('a', 60_000, soon());
  await expect(slots.take('b', 60_000, briefly())).rejects.toThrow(BusyError);
});

test('a slot that is never given back lapses', async () => {
  const slots = new Slots(1, 1, 1);
  const { release } = await slots.take('a', 20, soon());
  expect((await slots.take('b', 60_000, soon())).hasWaited).toBe(true);
  // Giving back late must not free the slot of the next one.
  release();
  await expect(slots.take('c', 60_000, AbortSignal.timeout(30))).rejects.toThrow(BusyError);
});
