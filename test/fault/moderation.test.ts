import { AS_OPERATOR } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld, METHODS } from './fault-world.ts';
import { type Intruder, interruptEverywhere, type Scenario } from './scenarios.ts';

// A listing is blocked, or its seller suspended, at everything that a purchase waits for: it ends as if that had come
// before or after, and nothing is lost.

const world = await createFaultWorld();

interface Buying {
  readonly listingId: string;
  readonly buyer: RegisteredAgent;
}

const ENDED = /^(released|failed|expired|refunded)$/;

let count = 0;

const buying = (method: string): Scenario<Buying> => ({
  name: `something is bought by ${method}`,
  async prepare() {
    // Its seller could not list the text of a blocked listing again.
    count += 1;
    const title = `Tide tables, edition ${count}`;
    const { id: listingId } = await world.listing({ title, listingType: 'limited', maxCopies: 2 });
    return { listingId, buyer: await world.newBuyer(method) };
  },
  act: ({ listingId, buyer }) => world.buy(listingId, buyer, { body: { payment_method: method } }),
  async expectEnd({ listingId }) {
    await lift();
    await world.recover();
    const made = await world.purchases(listingId);
    for (const { status } of made) expect(status).toMatch(ENDED);
    const sold = made.filter(({ status }) => status === 'released').length;
    expect(await world.sold(listingId)).toBe(sold);
  },
});

const operate = (path: string, body: object) => world.request('POST', path, null, body, AS_OPERATOR);
const suspension = () => `/admin/agents/${world.seller.id}/suspension`;

const blocking: Intruder<Buying> = {
  name: 'its listing is blocked',
  come: ({ listingId }) =>
    operate(`/admin/listings/${listingId}/block`, { blocked: true, rule: 'deception', reason: 'Noise.' }),
};
const suspending: Intruder<Buying> = {
  name: 'its seller is suspended',
  come: () => operate(suspension(), { suspended: true, rule: 'deception', reason: 'Noise.' }),
};
/** Answers 409 where nobody is suspended. */
const lift = () => operate(suspension(), { suspended: false, reason: 'Music.' });

describe('A listing is blocked, or its seller suspended, while something is bought', async () => {
  for (const method of METHODS) {
    await interruptEverywhere(world, buying(method), blocking);
    await interruptEverywhere(world, buying(method), suspending);
  }
});
