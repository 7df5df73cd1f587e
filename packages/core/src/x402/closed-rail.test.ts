import { afterEach, describe, expect, it } from 'vitest';
import { runEveryMinute } from '../compose/jobs.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { createQueryMarketplace } from '../testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';

// Nobody is asked for a payment that could not be settled, whoever signed it.
const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;
const ENOUGH = { balanceWei: 10n ** 18n, transfersLeft: 1000, payoutUnits: 0n };
/** Lists are cached for ten seconds. */
const minute = async () => {
  market.clock.advance(11_000);
  await runEveryMinute(market.newPorts());
};

afterEach(async () => {
  await x402.heal();
  chain.gasState = ENOUGH;
  chain.closed = null;
  await minute();
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await sales.audit();
});
market.sellerEndpoint.script = sellerOf({ answer: 42 });

const TROUBLES: Readonly<Record<string, () => void>> = {
  out_of_gas: () => {
    chain.gasState = { balanceWei: 1n, transfersLeft: 0, payoutUnits: 0n };
  },
  token_paused: () => {
    chain.closed = { kind: 'closed', reason: 'token_paused' };
  },
};

/** What each place that offers the rail says of a listing. */
async function offers(listingId: string) {
  const terms = await x402.query(listingId);
  const listing = await x402.get(`/marketplace/listings/${listingId}`);
  const found = await x402.get('/x402/discovery/resources?limit=100');
  const searched = await x402.get('/x402/discovery/search?limit=100');
  const idOf = (one: { metadata: { listingId: string } }) => one.metadata.listingId;
  const ids = found.body.items.map(idOf);
  return {
    terms: terms.status,
    path: listing.body.x402Path !== null,
    discovered: ids.includes(listingId),
    searched: searched.body.resources.map(idOf).includes(listingId),
    total: found.body.pagination.total > 0,
  };
}
const OFFERED = { terms: 402, path: true, discovered: true, searched: true, total: true };
const CLOSED = { terms: 503, path: false, discovered: false, searched: false, total: false };

describe('a rail on which nothing can be settled', () => {
  it.each(Object.keys(TROUBLES))(
    'is offered nowhere while %s, and everywhere afterwards',
    async (trouble) => {
      const { id } = await sales.listing({ priceCents: 250 });
      expect(await offers(id)).toEqual(OFFERED);
      TROUBLES[trouble]?.();
      await minute();
      await minute();
      expect(await offers(id)).toEqual(CLOSED);
      const refused = await x402.query(id);
      expect(refused.body).toMatchObject({ code: 'platform_payment_unavailable', charged: false });
      expect(refused.headers.get('payment-required')).toBeNull();
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const closures = market.log.lines.filter(({ event }) => event === 'rail_closed');
      expect(closures.at(-1)).toMatchObject({ level: 'error', fields: { rail: 'x402', reason: trouble } });
      expect(closures.filter(({ fields }) => fields?.['reason'] === trouble).length, 'told once').toBe(1);

      chain.gasState = ENOUGH;
      chain.closed = null;
      await minute();
      expect(await offers(id)).toEqual(OFFERED);
    },
  );

  it('stays as it was while nobody can be asked', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    chain.fault = ({ method }) => (method === 'readiness' ? 'lose_request' : undefined);
    TROUBLES['out_of_gas']?.();
    await minute();
    expect(await offers(id)).toEqual(OFFERED);
    chain.fault = () => undefined;
    await minute();
    chain.gasState = ENOUGH;
    chain.fault = ({ method }) => (method === 'readiness' ? 'lose_request' : undefined);
    await minute();
    expect(await offers(id)).toEqual(CLOSED);
  });

  it('costs no call to the chain for each request', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    TROUBLES['out_of_gas']?.();
    await minute();
    chain.calls.length = 0;
    await offers(id);
    expect(chain.calls).toEqual([]);
  });

  it('answers what was paid for before, and what is free', async () => {
    const paid = await sales.listing({ priceCents: 250 });
    const free = await sales.listing({ priceCents: 0 });
    const headers = await x402.pay(x402.newPayer(), paid.id, 2);
    const fresh = await x402.pay(x402.newPayer(), paid.id, 2);
    expect((await x402.query(paid.id, headers)).status).toBe(200);
    TROUBLES['out_of_gas']?.();
    await minute();
    const again = await x402.query(paid.id, headers);
    expect([again.status, again.body.content]).toEqual([200, { answer: 42 }]);
    expect((await x402.query(free.id)).status).toBe(200);
    const { status, body } = await x402.query(paid.id, fresh);
    // Nobody looked whether its payer brought it to the chain.
    expect([status, body.code, body.charged]).toEqual([503, 'platform_payment_unavailable', undefined]);
  });

  it('is among what the operator sees', async () => {
    const usdc = async () => {
      const { body } = await sales.request('GET', '/admin/reconciliation', null, undefined, {
        'x-mkt-admin': TEST_ADMIN_SECRET,
      });
      const { upcoming } = body as unknown as { upcoming: { rail: string; transfersLeft: number | null }[] };
      return upcoming.find(({ rail }) => rail === 'usdc')?.transfersLeft;
    };
    expect(await usdc()).toBe(1000);
    TROUBLES['out_of_gas']?.();
    expect(await usdc()).toBe(0);
  });
});
