import { startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { describe, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { HOSTILE } from './world.ts';

const { origin, baseUrl } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });

const PENDING = { description: 'Waits for its person.', preview: { a: 1 }, consent: true } as const;

/** An agent that has put up a free and a priced listing, and the link it was given for its person. */
async function newClaim(title = 'Waits for its person') {
  const { apiKey } = await stranger.registerAgent({ name: 'Newcomer' });
  const agent = stranger.withApiKey(apiKey);
  const { listing: free } = await agent.createListing({ ...PENDING, title, priceCents: 0 });
  const { listing: priced, claimUrl } = await agent.createListing({ ...PENDING, title, priceCents: 900 });
  return { freeId: free.id, pricedId: priced.id, claimUrl: claimUrl ?? '' };
}

const statusOf = async (listingId: string) => (await stranger.getListing({ listingId })).listing.status;

describeInBrowser('claiming a shop', (browser) => {
  test('from a link to live listings, with a wrong address on the way', async () => {
    const { freeId, pricedId, claimUrl } = await newClaim();
    const server = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ a: 1 }) });
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await page.goto(claimUrl, { waitUntil: 'networkidle' });
    expect(await page.locator('main').textContent()).toContain('2 listings');

    await page.getByLabel('Address of the delivery endpoint').fill('http://agent.example/deliver');
    await page.getByRole('button', { name: 'Send the challenge' }).click();
    await page.getByText('Nothing was sent').waitFor();
    // What was typed is still there, to be mended.
    expect(await page.getByLabel('Address of the delivery endpoint').inputValue()).toContain('agent.example');

    await page.getByLabel('Address of the delivery endpoint').fill(`${server.callbackUrl}/nothing-here`);
    await page.getByRole('button', { name: 'Send the challenge' }).click();
    await page.getByText('The nonce did not come back').waitFor();
    expect(await page.locator('.challenge').textContent()).toContain('did not answer with HTTP 200');
    expect(await page.title()).toContain('Action needed');
    expect(await axeViolations(page)).toEqual([]);
    expect([await statusOf(freeId), await statusOf(pricedId)]).toEqual(['pending', 'pending']);

    await page.getByLabel('Address of the delivery endpoint').fill(server.callbackUrl);
    await page.getByRole('button', { name: 'Send the challenge' }).click();
    await page.getByText('It passed').waitFor();
    expect([await statusOf(freeId), await statusOf(pricedId)]).toEqual(['active', 'pending']);
    expect(await page.locator('main').textContent()).toContain('Needs payouts');
    expect(troubles).toEqual([]);

    await page.getByLabel('Your country').fill('US');
    await page.getByRole('button', { name: 'Connect payouts' }).click();
    await page.getByRole('link', { name: 'card processor' }).click();
    await page.getByRole('button', { name: /payouts are enabled at once/ }).click();
    await page.waitForURL(claimUrl);
    // The processor reports to the marketplace beside sending the person back.
    await expect.poll(() => statusOf(pricedId)).toBe('active');
    await page.reload();
    expect(await page.locator('main').textContent()).toContain('No listing is waiting');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Country where you pay tax').fill('DE');
    await page.getByLabel('Tax number').fill('DE 123 456 789');
    await page.getByRole('button', { name: 'Give tax number' }).click();
    await page.getByText('Kept.').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('123 456');
    expect(await axeViolations(page)).toEqual([]);

    await page.goto(`${origin}/listings/${pricedId}`);
    expect(await page.locator('h1').textContent()).toContain('Waits for its person');
    await page.close();
    await server.close();
  });

  test('works without scripts', async () => {
    const { freeId, claimUrl } = await newClaim();
    const server = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ a: 1 }) });
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(claimUrl);
    await page.getByLabel('Address of the delivery endpoint').fill(server.callbackUrl);
    await page.keyboard.press('Enter');
    await page.getByText('It passed').waitFor();
    expect(await statusOf(freeId)).toBe('active');
    await context.close();
    await server.close();
  });

  test('a title that means harm is shown as text', async () => {
    const { claimUrl } = await newClaim(HOSTILE.title);
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await page.goto(claimUrl, { waitUntil: 'networkidle' });
    expect(await page.locator('main').textContent()).toContain('<img src=x');
    expect(await page.locator('main img').count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.close();
  });
});

describe('a claim link that is none', () => {
  test('unknown, mixed from two, cut or overlong: a page that says so, and what to do', async () => {
    const [one, other] = [(await newClaim()).claimUrl, (await newClaim()).claimUrl];
    const half = one.length - 8;
    const links = [
      `${origin}/claim/x`,
      one.slice(0, half) + other.slice(half),
      one.slice(0, -1),
      `${origin}/claim/${'x'.repeat(500)}`,
      `${origin}/claim/%00`,
    ];
    for (const link of links) {
      const response = await fetch(link);
      const html = await response.text();
      expect([link, response.status]).toEqual([link, 404]);
      expect(html).toContain('This link has expired');
      expect(html).toContain('What to do next');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    // A form sent to such a link does nothing, either.
    const sent = await fetch(links[1] ?? '', {
      method: 'POST',
      body: new URLSearchParams({
        do: 'endpoint',
        callbackUrl: 'https://agent.example/',
        callbackType: 'webhook',
      }),
    });
    expect([sent.status, (await sent.text()).includes('This link has expired')]).toEqual([404, true]);
  });

  test('the form of another site is not taken', async () => {
    const { freeId, claimUrl } = await newClaim();
    const response = await fetch(claimUrl, {
      method: 'POST',
      body: new URLSearchParams({ do: 'endpoint', callbackUrl: 'http://127.0.0.1:9/' }),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect([response.status, await statusOf(freeId)]).toEqual([403, 'pending']);
  });
});
