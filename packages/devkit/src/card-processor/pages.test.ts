import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalCardProcessor, startCardProcessor } from './start-card-processor.ts';
import { enterCard, enterPayoutDetails } from './visitor.ts';

let local: LocalCardProcessor;
beforeAll(async () => {
  const secrets = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' };
  local = await startCardProcessor({ ...secrets, port: 0, stateDir: null, webhookUrl: null });
});
afterAll(() => local.close());

async function post(path: string, fields: Record<string, string>) {
  const headers = { authorization: 'Bearer sk_test_local' };
  const response = await fetch(`${local.url}${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
  return response.json() as Promise<Record<string, string>>;
}

const newSession = (fields: Record<string, string> = {}) =>
  post('/v1/checkout/sessions', {
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '1999',
    'line_items[0][price_data][product_data][name]': '<script>alert("1")</script> & \'more\'',
    success_url: 'https://market.example/?a=1&b="2"',
    cancel_url: 'https://market.example/?c=<d>&e="f"',
    customer_email: '"><script>@example.com',
    ...fields,
  });
const get = async (url: string) => {
  const response = await fetch(url, { redirect: 'manual' });
  return { response, text: await response.text() };
};

describe('checkout page', () => {
  it('shows what is to be paid, escaped, without scripts', async () => {
    const { url = '' } = await newSession();
    const { response, text } = await get(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('Pay $19.99');
    expect(text).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;more&#39;');
    expect(text).not.toMatch(/<script|"f"/);
    expect(text).toContain('4000000000000002');
  });

  it('says what is wrong with a card, and keeps the page open', async () => {
    const { url = '', id } = await newSession();
    for (const [number, message] of [
      ['4000000000000002', 'Your card was declined.'],
      ['4000000000009995', 'Your card has insufficient funds.'],
      ['4000000000000341', 'Your card was declined.'],
      ['4000000000000069', 'Your card has expired.'],
      ['4000000000000127', 'security code is incorrect.'],
      ['4111111111111111', 'but used a non test card.'],
      ['4242424242424241', 'Your card number is incorrect.'],
      ['4242', 'Your card number is incomplete.'],
    ] as const) {
      const { status, text } = await enterCard(url, number);
      expect(status).toBe(402);
      expect(text).toContain(message);
    }
    const bad = async (fields: Record<string, string>) => {
      const form = { card_number: '4242424242424242', expiry: '12/34', cvc: '123', ...fields };
      return (await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }))
        .status;
    };
    expect(await bad({ expiry: '13/34' })).toBe(402);
    expect(await bad({ expiry: 'soon' })).toBe(402);
    expect(await bad({ cvc: '1' })).toBe(402);
    const last = await enterCard(url, '4242 4242 4242 4242');
    expect([last.status, last.location]).toEqual([303, 'https://market.example/?a=1&b="2"']);
    for (const visit of [await get(url), await get(`${local.url}/c/${id}`)])
      expect([visit.response.status, visit.text]).toEqual([410, expect.stringContaining('completed')]);
    expect((await enterCard(url, '4242424242424242')).status).toBe(410);
  });

  it('asks the bank of cards that want it', async () => {
    const { url = '' } = await newSession();
    expect(await enterCard(url, '4000002500003155', 'fail')).toMatchObject({ status: 402 });
    const stray = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ authentication: 'complete' }),
      redirect: 'manual',
    });
    expect(stray.status).toBe(402);
    expect(await enterCard(url, '4000002500003155')).toMatchObject({ status: 303 });
  });

  it('closes with its session', async () => {
    const { url = '', id } = await newSession();
    await post(`/v1/checkout/sessions/${id}/expire`, {});
    const { response, text } = await get(url);
    expect([response.status, text]).toEqual([410, expect.stringContaining('expired')]);
  });
});

describe('other pages', () => {
  it('save a card without charging it', async () => {
    const { id: customer = '' } = await post('/v1/customers', {});
    const fields = { mode: 'setup', currency: 'usd', customer, success_url: 'https://market.example' };
    const { url = '' } = await post('/v1/checkout/sessions', fields);
    const { text } = await get(url);
    expect(text).toContain('Nothing is charged now.');
    expect((await enterCard(url, '4000000000009995')).status).toBe(402);
    expect((await enterCard(url, '4000000000000341')).status).toBe(303);
  });

  it('onboard a seller once, for a few minutes', async () => {
    const { id: account = '' } = await post('/v1/accounts', {
      country: 'US',
      'controller[requirement_collection]': 'stripe',
    });
    const link = async () =>
      (
        await post('/v1/account_links', {
          account,
          type: 'account_onboarding',
          return_url: 'https://market.example/back',
          refresh_url: 'https://market.example/again',
        })
      ).url ?? '';
    const again = 'https://market.example/again';
    const url = await link();
    expect((await get(url)).text).toContain('Connect payouts');
    expect((await get(url)).response.headers.get('location')).toBe(again);
    expect(await enterPayoutDetails(url, 'leave')).toMatchObject({ location: 'https://market.example/back' });
    expect(await enterPayoutDetails(url)).toMatchObject({ location: again });
    const empty = await fetch(await link(), {
      method: 'POST',
      body: new URLSearchParams({ legal_name: ' ' }),
    });
    expect(empty.status).toBe(422);
    const late = await link();
    local.control.advance(5 * 60_000);
    expect((await get(late)).response.headers.get('location')).toBe(again);
  });

  it('list the test cards, and are not there otherwise', async () => {
    expect((await get(`${local.url}/`)).text).toContain('4242424242424242');
    for (const path of ['/c/none', '/c/constructor', '/onboarding/none', '/weather'])
      expect((await get(`${local.url}${path}`)).response.status).toBe(404);
  });
});
