import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { describe, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { operatorClient } from './world-work.ts';

const { origin, baseUrl, listingId, operatorSecret, inquiryPaths } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });
const idOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? '';

describeInBrowser('writing to the marketplace', (browser) => {
  test('opens a thread with its files, is answered in it, and goes on', async () => {
    const page = await browser().newPage();
    const troubles = watch(page, origin);
    await page.goto(`${origin}/contact`);
    await page.getByLabel('Subject').fill('<b>Harm</b> & "quotes"');
    await page.getByLabel('About').selectOption('selling');
    await page
      .getByLabel('Message', { exact: true })
      .fill('First line.\n\n<script>document.title="owned"</script>');
    const files = [
      { name: 'näme.txt', mimeType: 'text/plain', buffer: Buffer.from('kept') },
      { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>alert(1)</script>') },
    ];
    await page.getByLabel(/^Attachments/).setInputFiles(files);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/\/inquiries\//);
    await page.getByText('We have your message.').waitFor();
    expect(await page.locator('h1').textContent()).toContain('<b>Harm</b>');
    expect(await page.locator('.thread').textContent()).toContain('<script>document.title');
    expect(await page.title()).not.toBe('owned');
    const href = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await (await fetch((await href('näme.txt')) ?? '')).text()).toBe('kept');
    const html = await fetch((await href('page.html')) ?? '');
    expect(html.headers.get('content-type')).not.toContain('html');

    await operatorClient(baseUrl, operatorSecret).replyToInquiry({
      inquiryId: idOf(page.url()),
      authorName: 'Ada',
      body: 'Read.',
    });
    await page.goto(page.url().replace('?new=1', ''));
    expect(await page.locator('.thread').textContent()).toMatch(/Ada.*Read\./s);
    await page.getByLabel('Message', { exact: true }).fill('Thank you.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#latest').getByText('Thank you.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('works without scripts, and keeps what was typed when it is refused', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/contact`);
    await page.getByLabel('Subject').fill('Kept');
    await page.getByLabel('Message', { exact: true }).fill('  Also kept.');
    await page.getByLabel(/^Attachments/).setInputFiles(
      Array.from({ length: 6 }, (_, index) => ({
        name: `${index}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.from('x'),
      })),
    );
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Kept');
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('  Also kept.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/\/inquiries\//);
    await context.close();
  });
});

describeInBrowser('reporting a listing', (browser) => {
  test('leads from its page to a form that asks for the rule in words, without scripts', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/listings/${listingId}`);
    await page.getByRole('link', { name: 'Report this listing' }).click();
    // The page that is left has no subject either.
    await page.waitForURL(/\/contact/);
    expect(await page.getByLabel('Subject').count()).toBe(0);
    await page.getByLabel('The rule that it breaks').selectOption({ label: 'No right to sell' });
    await page.getByLabel('Message', { exact: true }).fill('It is the almanac of the port.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(/\/inquiries\//);
    expect(await page.locator('h1').textContent()).toContain(`listing ${listingId} no_right_to_sell`);
    await context.close();
  });
});

describe('the thread of an inquiry', () => {
  test('has no page for whoever lacks its address', async () => {
    for (const path of ['/inquiries/none', '/inquiries/00000000-0000-4000-8000-000000000000']) {
      for (const init of [{}, { method: 'POST', body: new URLSearchParams({ message: 'a' }) }]) {
        const response = await fetch(origin + path, init);
        expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true]);
        expect(await response.text()).toContain('What to do next');
      }
    }
  });

  test('once closed, takes nothing more, and says why it was closed', async () => {
    const html = await (await fetch(origin + inquiryPaths.closed)).text();
    expect(html).toContain('Nothing was asked.');
    expect(html).not.toContain('<textarea');
    const sent = await fetch(origin + inquiryPaths.closed, {
      method: 'POST',
      body: new URLSearchParams({ message: 'Once more.' }),
    });
    expect(sent.status).toBe(409);
    const { messages } = await stranger.getInquiryThread({ inquiryId: idOf(origin + inquiryPaths.closed) });
    expect(messages.some(({ body }) => body.includes('Once more'))).toBe(false);
  });

  test('the form of another site is not taken', async () => {
    const response = await fetch(`${origin}/contact`, {
      method: 'POST',
      body: new URLSearchParams({ subject: 'a', message: 'b' }),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(response.status).toBe(403);
  });
});
