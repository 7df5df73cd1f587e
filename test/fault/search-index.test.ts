import { sweepSearchOutbox } from '@agent-marketplace/core/listings/index.ts';
import type { D1Fault, ObservedD1 } from '@agent-marketplace/core/testing/doubles/observed-d1.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createService, type Party } from '../conformance/service.ts';

// The search database is derived: whichever connection is lost while a listing changes, one sweep of the
// outbox makes browsing agree with the market database again, counters included.

const service = createService();
const { market } = service;
let seller: Party;
beforeAll(async () => {
  seller = await service.seller();
});

async function expectAgreement(): Promise<void> {
  await market.background.settled();
  await sweepSearchOutbox(market.newPorts());
  const listings = await testBindings.DB.prepare(
    "SELECT id, title, version FROM listings WHERE status = 'active' ORDER BY id",
  ).all();
  const documents = await testBindings.SEARCH.prepare(
    "SELECT listing_id AS id, title, summary ->> '$.version' AS version FROM documents ORDER BY listing_id",
  ).all();
  expect(documents.results).toEqual(listings.results);
  const { total, listings: shown } = await service.browse('?limit=100');
  expect([total, shown.length]).toEqual([listings.results.length, Math.min(100, listings.results.length)]);
  const waiting = await testBindings.DB.prepare(
    'SELECT * FROM search_outbox WHERE mark > indexed_mark',
  ).all();
  expect(waiting.results).toEqual([]);
}

async function breaking(d1: ObservedD1, at: number, fault: D1Fault, work: () => Promise<unknown>) {
  let count = 0;
  d1.fault = () => {
    count += 1;
    return count === at ? fault : undefined;
  };
  await work();
  await market.background.settled();
  d1.fault = () => undefined;
  return count >= at;
}

const change = (id: string, fields: object) =>
  service.patch(`/marketplace/listings/${id}`, fields, { key: seller.apiKey });
let made = 0;

/** A new listing, prepared before anything breaks, and what is done to it then. */
const CHANGES: Record<string, () => Promise<() => Promise<unknown>>> = {
  creation: async () => () => service.list(seller, { title: `Made ${++made}` }).catch(() => {}),
  renaming: async () => {
    const { id } = await service.list(seller);
    return () => change(id, { title: `Renamed ${++made}` });
  },
  deactivation: async () => {
    const { id } = await service.list(seller);
    return () => change(id, { active: false });
  },
  reactivation: async () => {
    const { id } = await service.list(seller);
    await change(id, { active: false });
    return () => change(id, { active: true });
  },
  'two changes at once': async () => {
    const { id } = await service.list(seller);
    return () => Promise.all([change(id, { title: `Twice ${++made}` }), change(id, { active: false })]);
  },
};

describe.each(Object.entries(CHANGES))('%s', (_, prepare) => {
  it.each([
    ['search', 'lose_request'],
    ['search', 'lose_reply'],
    ['market', 'lose_request'],
    ['market', 'lose_reply'],
  ] as const)('%s database, %s', async (name, fault) => {
    for (let at = 1; ; at += 1) {
      const work = await prepare();
      const wasBroken = await breaking(market[name], at, fault, work);
      await expectAgreement();
      if (!wasBroken) break;
    }
  });
});
