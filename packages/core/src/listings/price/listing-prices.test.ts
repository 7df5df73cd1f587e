import { describe, expect, it } from 'vitest';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market } = sales;

async function send(method: string, path: string, body: unknown, apiKey: string) {
  const response = await market.request(method, path, { body, apiKey });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('a listing priced below a cent', () => {
  it('shows both prices wherever one is shown, and its history has every change', async () => {
    const seller = await sales.seller();
    const { id } = await sales.listing({ title: 'Gull counts', priceCents: 1, priceMicros: 500 }, seller);
    const dearer = await sales.listing(
      { title: 'Gull counts by hour', priceCents: 1, priceMicros: 600 },
      seller,
    );
    const path = `/marketplace/listings/${id}`;
    const detail = (await (await market.request('GET', path, {})).json()) as { listing: object };
    expect(detail.listing).toMatchObject({ priceCents: 1, priceMicros: 500 });

    for (const [sort, order] of [
      ['price_asc', [id, dearer.id]],
      ['price_desc', [dearer.id, id]],
    ] as const) {
      const found = await market.request('GET', `/marketplace/listings?q=gull&sort=${sort}&price=paid`, {});
      const { listings } = (await found.json()) as { listings: { id: string }[] };
      expect(listings.map((one) => one.id)).toEqual(order);
    }

    const both = await send('PATCH', path, { priceMicros: 15_001 }, seller.apiKey);
    expect(both.body).toMatchObject({
      priceCents: 2,
      priceMicros: 15_001,
      change: {
        changeType: 'price_changed',
        changes: { priceCents: { from: 1, to: 2 }, priceMicros: { from: 500, to: 15_001 } },
      },
    });
    const wrong = await send('PATCH', path, { priceMicros: 15_001, priceCents: 1 }, seller.apiKey);
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'priceCents' }] } });
    const whole = await send('PATCH', path, { priceCents: 2 }, seller.apiKey);
    expect(whole.body).toMatchObject({
      priceCents: 2,
      priceMicros: null,
      change: { changeType: 'price_changed', changes: { priceMicros: { from: 15_001, to: null } } },
    });
  });

  it.each([
    ['below the smallest', { priceCents: 1, priceMicros: 99 }, 'priceMicros'],
    ['not of the cents', { priceCents: 2, priceMicros: 500 }, 'priceCents'],
    ['of what is scarce', { priceCents: 1, priceMicros: 500, listingType: 'exclusive' }, 'priceMicros'],
    ['of what is shipped', { priceCents: 1, priceMicros: 500, fulfilment: 'physical' }, 'priceMicros'],
  ])('is refused where it is %s', async (_, price, field) => {
    const { apiKey } = await sales.seller();
    const body = { title: 'Tern counts', description: 'By day.', preview: {}, consent: true, ...price };
    const refused = await send('POST', '/marketplace/listings', body, apiKey);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
  });
});

describe('a listing without priceCents', () => {
  it.each([
    ['priceMicros', { priceMicros: 500 }],
    ['a meter', { meter: { unit: 'thousand_tokens', unitPriceMicros: 500, maxUnits: 100 } }],
    ['no price at all', {}],
  ])('and with %s is told what to send', async (_, price) => {
    const { apiKey } = await sales.seller();
    const body = { title: 'Tern counts', description: 'By day.', preview: {}, consent: true, ...price };
    const refused = await send('POST', '/marketplace/listings', body, apiKey);
    const message = expect.stringMatching(/^Send whole cents; 0 is free\. .*priceMicros.* rounded up/);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'priceCents', message }] } });
  });
});

describe('a listing priced by units', () => {
  const meter = { unit: 'thousand_tokens', unitPriceMicros: 500, maxUnits: 100 };

  it('shows the most that a query costs as its price, and its history has every change', async () => {
    const seller = await sales.seller();
    const { id } = await sales.listing({ title: 'Summaries', priceCents: 5, meter }, seller);
    const path = `/marketplace/listings/${id}`;
    const listing = async () =>
      ((await (await market.request('GET', path, {})).json()) as { listing: object }).listing;
    expect(await listing()).toMatchObject({ priceCents: 5, priceMicros: 50_000, meter });
    const dearer = await send('PATCH', path, { meter: { ...meter, maxUnits: 300 } }, seller.apiKey);
    expect(dearer.body).toMatchObject({
      priceCents: 15,
      priceMicros: 150_000,
      change: {
        changeType: 'price_changed',
        changes: {
          meter: {
            from: '500 per thousand_tokens, at most 100',
            to: '500 per thousand_tokens, at most 300',
          },
        },
      },
    });
    const same = await send('PATCH', path, { meter: { ...meter, maxUnits: 300 } }, seller.apiKey);
    expect(same.body.change).toBeNull();
    await send('PATCH', path, { priceCents: 20 }, seller.apiKey);
    expect(await listing()).toMatchObject({ priceCents: 20, priceMicros: null, meter: null });
  });

  it.each([
    ['other cents', { priceCents: 6, meter }, 'priceCents'],
    ['other micro-units', { priceCents: 5, priceMicros: 49_000, meter }, 'priceMicros'],
    ['a unit below the smallest price', { priceCents: 1, meter: { ...meter, unitPriceMicros: 99 } }, 'meter'],
    ['a unit that nobody knows', { priceCents: 5, meter: { ...meter, unit: 'pages or so' } }, 'meter'],
    ['scarce copies', { priceCents: 5, meter, listingType: 'exclusive' }, 'priceMicros'],
  ])('is refused with %s', async (_, price, field) => {
    const { apiKey } = await sales.seller();
    const body = { title: 'Summaries', description: 'Of texts.', preview: {}, consent: true, ...price };
    const refused = await send('POST', '/marketplace/listings', body, apiKey);
    const { errors } = refused.body as { errors: { path: string }[] };
    expect([refused.status, errors[0]?.path.split('.')[0]]).toEqual([400, field]);
  });
});
