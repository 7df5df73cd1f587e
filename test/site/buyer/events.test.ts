import { startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { expect, inject, test } from 'vitest';
import { axeViolations } from '../axe.ts';
import { describeInBrowser } from '../browser.ts';
import { HOSTILE } from '../world.ts';

const { origin, baseUrl } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });

describeInBrowser('purchases and events', (browser) => {
  test('of an agent: the way to each receipt, and what happens as it happens', async () => {
    const seller = stranger.withApiKey((await stranger.registerAgent({ name: 'Seller' })).apiKey);
    const server = await startSellerServer({ marketplace: baseUrl, deliver: () => ({ answer: 42 }) });
    await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
    const { listing } = await seller.createListing({
      title: `Tides ${HOSTILE}`.slice(0, 200),
      description: 'High and low water.',
      preview: {},
      priceCents: 0,
      consent: true,
    });
    const { apiKey, connect } = await stranger.registerAgent({ name: 'Buyer' });
    const buyer = stranger.withApiKey(apiKey);
    const { id } = await buyer.purchaseListing({ listingId: listing.id });

    const page = await browser().newPage();
    await page.goto(`${origin}/events`, { waitUntil: 'networkidle' });
    await page.getByLabel('API key').fill(apiKey);
    await page.keyboard.press('Enter');
    const events = page.getByRole('list', { name: 'Events' });
    await page.getByText('New events appear here').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await seller.sendMessage({ handle: connect.handle, text: 'Do you need more?' });
    await events.getByText('Message received').waitFor();
    expect(await axeViolations(page)).toEqual([]);

    // The address of before leads there.
    await page.goto(`${origin}/activity`, { waitUntil: 'networkidle' });
    expect(page.url()).toBe(`${origin}/purchases`);
    const row = page.getByRole('row').filter({ hasText: 'Delivered' });
    expect(await row.textContent()).toContain('Free');
    await row.getByRole('button', { name: `Receipt of purchase ${id.slice(0, 8)}` }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/purchases/${id}**`);
    await page.close();
    await server.close();
  });
});
