import { describe, expect, it } from 'vitest';
import { settleAccount } from '../sales/index.ts';
import { LISTING_BODY } from '../testing/fixtures/new-listing.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { claimPayouts } from './index.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const WEEK_MS = 7 * 24 * 3600_000;

/** A seller by its first listing only, which waits, and the token of its claim link. */
async function newClaim() {
  const seller = await sales.newAgent();
  const body = { ...LISTING_BODY, priceCents: 100 };
  const made = await market.request('POST', '/marketplace/listings', { body, apiKey: seller.apiKey });
  const { claimUrl } = (await readSigned(made)).body as { claimUrl: string };
  return { seller, token: claimUrl.split('/').at(-1) ?? '' };
}

async function connect(token: string, body: object = {}, headers = {}) {
  const response = await market.request('POST', `/sell/claims/${token}/payouts`, { body, headers });
  return { status: response.status, ...(await readSigned(response)) };
}

const sellerRow = (id: string) =>
  sales.rows<{ country: string; payouts: string }>(
    'SELECT country, payouts FROM sellers WHERE agent_id = ?',
    id,
  );
const accountsOf = (id: string) =>
  sales.rows<{ account_id: string; country: string }>(
    'SELECT account_id, country FROM payout_accounts WHERE seller_id = ?',
    id,
  );

describe('connecting payouts by claim link', () => {
  it('leads to the card processor, and is over once it said yes', async () => {
    const { seller, token } = await newClaim();
    const first = await connect(token, { country: 'de' });
    expect([first.status, first.body.connected]).toEqual([200, false]);
    expect(first.body.onboardingUrl).toMatch(/^https:\/\/connect\.test\//);
    const [account] = await accountsOf(seller.id);
    expect(account?.country).toBe('DE');
    expect(await sellerRow(seller.id)).toEqual([{ country: 'DE', payouts: 'not_connected' }]);

    cards.onboard(account?.account_id ?? '');
    await settleAccount(market.newPorts(), account?.account_id ?? '');
    expect((await connect(token)).body).toEqual({
      connected: true,
      onboardingUrl: null,
    });
  });

  it('takes tax details on the way, and changes none that are there', async () => {
    const { seller, token } = await newClaim();
    const kept = () =>
      sales.rows('SELECT country, tax_number FROM seller_tax_details WHERE seller_id = ?', seller.id);
    expect((await connect(token, { tax: { country: 'FR', taxNumber: 'no' } })).status).toBe(400);
    expect(await kept()).toEqual([]);
    const first = await connect(token, { tax: { country: 'fr', taxNumber: '30 23 217 600 053' } });
    expect(first.status).toBe(200);
    expect(first.text).not.toContain('30 23');
    expect(await kept()).toEqual([{ country: 'FR', tax_number: '30 23 217 600 053' }]);
    await connect(token, { tax: { country: 'US', taxNumber: '00-0000000' } });
    expect(await kept()).toEqual([{ country: 'FR', tax_number: '30 23 217 600 053' }]);
  });

  it('asked again gives a fresh link to the same account, in the country named before', async () => {
    const { seller, token } = await newClaim();
    const first = await connect(token, { country: 'FR' });
    const again = await connect(token);
    expect(again.body.onboardingUrl).not.toBe(first.body.onboardingUrl);
    const accounts = await accountsOf(seller.id);
    expect(accounts.map(({ country }) => country)).toEqual(['FR']);
  });

  it('gives the same link to the same Idempotency-Key', async () => {
    const { token } = await newClaim();
    const headers = { 'idempotency-key': 'payouts-1' };
    const first = await connect(token, {}, headers);
    expect((await connect(token, {}, headers)).body).toEqual(first.body);
  });

  it('in a country that is not served is refused, and leaves nothing behind', async () => {
    const { seller, token } = await newClaim();
    const before = await sellerRow(seller.id);
    const { status, body } = await connect(token, { country: 'KP' });
    expect([status, body.code]).toEqual([400, 'country_not_served']);
    expect(await sellerRow(seller.id)).toEqual(before);
    expect(await accountsOf(seller.id)).toEqual([]);
  });

  it('opens to nobody by a link that is made up, foreign or over', async () => {
    const { seller, token } = await newClaim();
    const { token: other } = await newClaim();
    const [half, ending] = [token.length >> 1, token.slice(-1) === '0' ? '1' : '0'];
    const mixed = token.slice(0, half) + other.slice(half);
    for (const wrong of ['x', token.slice(0, -1) + ending, mixed, 'x'.repeat(200)]) {
      const { status, body } = await connect(wrong);
      expect([status, body.code]).toEqual([404, 'claim_not_found']);
    }
    market.clock.advance(WEEK_MS);
    expect((await connect(token)).body.code).toBe('claim_not_found');
    expect(await accountsOf(seller.id)).toEqual([]);
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    'the processor is gone (%s): said, and tried again',
    async (fault) => {
      const { seller, token } = await newClaim();
      cards.fault = ({ method }) => (method === 'createAccount' ? fault : undefined);
      const { status, body } = await connect(token);
      cards.fault = () => undefined;
      expect([status, body.code]).toEqual([503, 'payouts_not_available']);
      expect((await connect(token)).status).toBe(200);
      expect(await accountsOf(seller.id)).toHaveLength(1);
    },
  );
});

describe('a marketplace without a card processor', () => {
  it('says that payouts cannot be connected', async () => {
    const place = createTestMarketplace({ operations: [claimPayouts], overrides: { cards: null } });
    const { token } = await newClaim();
    const response = await place.request('POST', `/sell/claims/${token}/payouts`, { body: {} });
    expect([response.status, (await readSigned(response)).body.code]).toEqual([503, 'payouts_not_available']);
  });
});

describe('becoming a seller with a key, where cards are taken', () => {
  const become = (apiKey: string, key: string) =>
    sales.request('POST', '/sell/register', apiKey, { name: 'A' }, { 'idempotency-key': key });

  it('gives the same answer to the same Idempotency-Key, and a fresh link to another', async () => {
    const { apiKey, id } = await sales.newAgent();
    const first = await become(apiKey, 'link-a');
    const linkOf = ({ body }: { body: unknown }) => (body as { onboardingUrl: string | null }).onboardingUrl;
    expect(linkOf(first)).toMatch(/^https:\/\/connect\.test\//);
    const again = await become(apiKey, 'link-a');
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(linkOf(await become(apiKey, 'link-b'))).not.toBe(linkOf(first));
    expect(await accountsOf(id)).toHaveLength(1);
  });

  it('makes a seller though the processor is down, and says so again to the same Idempotency-Key', async () => {
    const { apiKey, id } = await sales.newAgent();
    cards.fault = () => 'lose_request';
    const first = await become(apiKey, 'link-c');
    cards.fault = () => undefined;
    expect([first.status, first.body]).toMatchObject([201, { onboardingUrl: null, id }]);
    expect((await become(apiKey, 'link-c')).body).toEqual(first.body);
    expect(await sellerRow(id)).toHaveLength(1);
  });
});
