import { expect, it } from 'vitest';
import { HOUR_MS, isoTime } from '../kernel/time.ts';
import { verifiedSellerOf } from '../testing/fixtures/new-listing.ts';
import { createQueryMarketplace } from '../testing/marketplace/query-marketplace.ts';
import { createUsdcShop } from '../testing/marketplace/usdc-shop.ts';
import {
  cancelChange,
  findCurrentChanges,
  findPayoutRoutes,
  isNotChangeable,
  isOver,
  requireChangeable,
} from './payout-changes.store.ts';

// The last lines of defence of where a seller is paid: what must hold though the code before them saw it otherwise.

const query = createQueryMarketplace();
const { market } = query;
const shop = createUsdcShop(query);
const database = () => market.newPorts().market;

/** A seller with a wallet, and a change to another one under way. */
async function changing() {
  const seller = await verifiedSellerOf(market);
  await shop.bind(seller);
  const routes = async () => {
    const found = await findPayoutRoutes(database(), [seller.id], isoTime(market.clock.now()));
    const seen = found.get(seller.id);
    if (!seen) throw new Error('There is no such seller.');
    return seen;
  };
  const before = await routes();
  await shop.bind(seller);
  const { pending } = await findCurrentChanges(database(), seller.id, market.clock.now());
  const [change] = pending;
  if (!change) throw new Error('The change was made at once.');
  return { before, change, routes };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

it('no change follows one that is under way, nor one that was cancelled in between', async () => {
  const { before, change, routes } = await changing();
  const now = market.clock.now();
  const require = (seen: typeof before) => failureOf(database().commit([requireChangeable(seen, now)]));
  expect(isNotChangeable(await require(await routes()))).toBe(true);
  await database().commit(cancelChange(change, 'key', isoTime(now)));
  // Everything is again as it was seen before, but for the cancellation.
  expect(await routes()).toEqual(before);
  expect(isNotChangeable(await require(before))).toBe(true);
});

it('a change is not cancelled any more at the time at which it takes effect', async () => {
  const { change, routes } = await changing();
  market.clock.set(Date.parse(change.effectiveAt));
  const cancel = (atMs: number) => failureOf(database().commit(cancelChange(change, 'key', isoTime(atMs))));
  expect(isOver(await cancel(market.clock.now()))).toBe(true);
  expect((await routes()).wallet?.address).toBe(change.destination);
  expect(await cancel(market.clock.now() - HOUR_MS)).toBeNull();
  expect((await routes()).wallet?.address).toBe(change.previous);
});
