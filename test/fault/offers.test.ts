import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { describe, expect } from 'vitest';
import { createFaultWorld } from './fault-world.ts';
import { interruptEverywhere, type Scenario } from './scenarios.ts';

// An offer is accepted, and at every step of that its buyer takes it back, or its seller makes something else of the
// listing: it is sold as it was offered for, or not at all.

const world = await createFaultWorld();
const OFFER_CENTS = 2900;
const FUNDS_CENTS = 3000;

interface Offered {
  readonly listingId: string;
  readonly offerId: string;
  readonly buyer: RegisteredAgent;
  readonly accept: () => ReturnType<typeof world.request>;
  /** How the buyer's attempt to take it back was answered. */
  withdrawal?: number;
}

const accepting = (method: 'wallet' | 'checkout'): Scenario<Offered> => ({
  name: `an offer is accepted, to be paid by ${method}`,
  async prepare() {
    const { id } = await world.listing({ listingType: 'exclusive' });
    const buyer = await (method === 'wallet'
      ? world.newBuyer('wallet', FUNDS_CENTS)
      : world.newBuyer('checkout'));
    const { status, body } = await world.request('POST', `/marketplace/listings/${id}/offers`, buyer.apiKey, {
      amountCents: OFFER_CENTS,
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const path = `/sell/offers/${body.id}/accept`;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const accept = () => world.request('POST', path, world.seller.apiKey, {}, headers);
    return { listingId: id, offerId: body.id, buyer, accept };
  },
  act: ({ accept }) => accept(),
  expectEnd,
});

async function expectEnd({ listingId, offerId, buyer, withdrawal }: Offered): Promise<void> {
  const { body: offer } = await world.request('GET', `/marketplace/offers/${offerId}`, buyer.apiKey);
  const sold = await world.rows<{ id: string; fingerprint: string }>(
    `SELECT id, fingerprint FROM purchases JOIN payments ON purchase_id = id
      WHERE listing_id = ? AND (status NOT IN ('failed', 'expired') OR id = (SELECT purchase_id FROM offers WHERE id = ?))`,
    listingId,
    offerId,
  );
  const terms = offer as unknown as { purchaseId: string | null; fingerprint: string };
  // What is sold is the purchase of the accepted offer, and what was offered for.
  if (offer.status === 'accepted')
    expect(sold).toEqual([{ id: terms.purchaseId, fingerprint: terms.fingerprint }]);
  else expect(sold).toEqual([]);
  if (withdrawal !== undefined) {
    expect([withdrawal, offer.status]).toEqual(
      withdrawal === 200 ? [200, 'withdrawn'] : [409, expect.stringMatching(/^(accepted|expired)$/)],
    );
  }
}

describe('An offer is sold as it was offered for, or not at all', async () => {
  for (const method of ['wallet', 'checkout'] as const) {
    await interruptEverywhere(world, accepting(method), {
      name: 'its buyer takes it back',
      async come(offered) {
        const path = `/marketplace/offers/${offered.offerId}/withdraw`;
        offered.withdrawal = (await world.request('POST', path, offered.buyer.apiKey, {})).status;
      },
    });
    await interruptEverywhere(world, accepting(method), {
      name: 'its seller makes something else of the listing',
      async come({ listingId }) {
        const changed = { title: 'Something else', description: 'Not what was offered for.' };
        const path = `/marketplace/listings/${listingId}`;
        expect((await world.request('PATCH', path, world.seller.apiKey, changed)).status).toBe(200);
      },
    });
  }
});
