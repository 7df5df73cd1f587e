import { expect, test } from 'vitest';
import { RelaySlots } from './relay-slots.ts';

const soon = () => AbortSignal.timeout(2000);

test('at most so many hold a slot at once', async () => {
  const slots = new RelaySlots(2, 1);
  let held = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const giveBack = await slots.take(60_000, soon());
      most = Math.max(most, ++held);
      await new Promise((resolve) => setTimeout(resolve, 5));
      held--;
      giveBack();
    }),
  );
  expect(most).toBe(2);
});

test('waiting ends with the time limit', async () => {
  const slots = new RelaySlots(1, 1);
  await slots.take(60_000, soon());
  await expect(slots.take(60_000, AbortSignal.timeout(20))).rejects.toThrow(/timeout/i);
});

test('a slot that is never given back lapses', async () => {
  const slots = new RelaySlots(1, 1);
  const giveBack = await slots.take(20, soon());
  await slots.take(60_000, soon());
  // Giving back late must not free the slot of the next one.
  giveBack();
  await expect(slots.take(60_000, AbortSignal.timeout(30))).rejects.toThrow(/timeout/i);
});
