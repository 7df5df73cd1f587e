import { readFile } from 'node:fs/promises';
import { enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import type { Deliver } from '@agent-marketplace/sdk/seller';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';
import { operatorClient } from './world-work.ts';

const { origin, baseUrl, purchasePaths, operatorSecret } = inject('world');
const stranger = createMarketplaceClient({ baseUrl });

let server: SellerServer;
let listingId = '';
/** Your query to the seller, and what it answers. */
let asked = 0;
let answer: Awaited<ReturnType<Deliver>> = { answer: 42 };

beforeAll(async () => {
  const registered = await stranger.registerSeller({ name: 'Watched seller' });
  const seller = stranger.withApiKey(registered.apiKey ?? '');
  server = await startSellerServer({
    marketplace: baseUrl,
    deliver: () => {
      asked += 1;
      return answer;
    },
  });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(registered.onboardingUrl ?? '');
  const { listing } = await seller.createListing({
    title: 'The answer',
    description: 'Asked for as you buy.',
    preview: { a: 1 },
    priceCents: 1200,
    consent: true,
  });
  listingId = listing.id;
  await vi.waitFor(
    async () => expect((await stranger.getListing({ listingId })).listing.status).toBe('active'),
    { timeout: 30_000 },
  );
});
afterAll(() => server.close());

/** Orders, and goes to the page where it is paid. */
async function toCheckout(page: Page): Promise<void> {
  const { checkoutUrl } = await stranger.purchaseListing({ listingId, paymentMethod: 'checkout' });
  await page.goto(checkoutUrl ?? '');
}

/** Buys as a person does, up to the purchase's page. */
async function payByCard(page: Page): Promise<void> {
  await toCheckout(page);
  await page.getByRole('button', { name: /^Pay \$12\.00/ }).click();
  await page.waitForURL(/\/purchases\//);
}

const showContent = (page: Page) => page.getByRole('button', { name: 'Show the content' }).click();
const verdict = (page: Page) => page.locator('#verdict[data-checked]');

describeInBrowser('buying as a person', (browser) => {
  test('from the checkout to the content, its file and its receipt', async () => {
    answer = { answer: 42, harbour: 'Cork' };
    const page = await browser().newPage();
    await payByCard(page);
    const troubles = watch(page, origin);
    await page.getByText('Ready to collect').waitFor();
    const before = asked;
    await page.reload();
    await page.goto(page.url(), { waitUntil: 'networkidle' });
    expect(asked).toBe(before);

    await showContent(page);
    expect(await page.locator('#delivered pre').textContent()).toContain('"harbour": "Cork"');
    expect(asked).toBe(before + 1);
    await verdict(page).waitFor();
    await page.reload({ waitUntil: 'networkidle' });
    expect([asked, await page.locator('#delivered').count()]).toEqual([before + 1, 0]);
    await showContent(page);
    await page.locator('#delivered pre').waitFor({ state: 'attached' });
    const steps = await page.locator('.sale-steps li').allTextContents();
    expect(steps.map((text) => text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, ' TIME'))).toEqual([
      'Reservedordered  TIME (done)',
      'Asked (done)',
      'Delivered TIME (done)',
      'In escrowuntil  TIME',
      'Paid out (still to come)',
    ]);
    await verdict(page).waitFor();
    expect(await verdict(page).textContent()).toContain('the content matches it');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save as a file' }).click();
    const path = await (await download).path();
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ answer: 42, harbour: 'Cork' });
    expect(await axeViolations(page)).toEqual([]);
    expect(troubles).toEqual([]);

    // The seller sends something else now: said, and the receipt still is of the first delivery.
    answer = { answer: 43 };
    await page.getByRole('button', { name: 'Fetch it again' }).click();
    await page.getByText('something other than what you bought').waitFor();
    await page.close();
  });

  test('left without paying, it says how to go on; once paid, the page goes on by itself', async () => {
    const page = await browser().newPage();
    await toCheckout(page);
    const checkoutUrl = page.url();
    await page.getByRole('link', { name: 'Back without paying' }).click();
    await page.getByText('Waiting for payment').waitFor();
    expect(await page.getByRole('link', { name: 'Pay $12.00' }).getAttribute('href')).toBe(checkoutUrl);

    const other = await browser().newPage();
    await other.goto(checkoutUrl);
    await other.getByRole('button', { name: /^Pay/ }).click();
    await other.waitForURL(/\/purchases\//);
    await other.close();
    // What a reader does who comes back to the page; otherwise it asks by the clock.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('button', { name: 'Show the content' }).waitFor();
    await page.close();
  });

  test('what cannot be delivered is not charged, and the page says so', async () => {
    const page = await browser().newPage();
    await payByCard(page);
    answer = null;
    await showContent(page);
    await page.getByRole('alert').filter({ hasText: 'Nothing was charged' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('Not delivered');
    await page.close();
  });

  test('a dispute keeps the money where it is', async () => {
    answer = { answer: 42 };
    const page = await browser().newPage();
    await payByCard(page);
    await showContent(page);
    await verdict(page).waitFor();
    await page.getByLabel('What is wrong').fill('It is 41.');
    await page.getByRole('button', { name: 'Open a dispute' }).click();
    await page.getByText('Your dispute is open').waitFor();
    expect(await axeViolations(page)).toEqual([]);

    // It stands there for whoever comes back, in place of the form, and says nothing of a day of release.
    const link = page.url().replace('&disputed=1', '');
    await page.goto(link, { waitUntil: 'networkidle' });
    await page.getByText('Disputed, money in escrow').waitFor();
    const dispute = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Your dispute' }) });
    expect(await dispute.textContent()).toMatch(/Opened\d{4}-.* UTC.*has not decided yet.*It is 41\./);
    expect(await page.getByRole('button', { name: 'Open a dispute' }).count()).toBe(0);
    expect(await page.locator('main').textContent()).not.toContain('In escrow until');

    // A form of a page that was open before is answered with what stands there now.
    const { pathname, searchParams } = new URL(link);
    const repeated = await fetch(`${origin}${pathname}?token=${searchParams.get('token')}`, {
      method: 'POST',
      body: new URLSearchParams({ do: 'dispute', reason: 'Again.' }),
    });
    expect([repeated.status, (await repeated.text()).includes('Your dispute')]).toEqual([409, true]);
    await page.close();
  });

  test.each([
    ['refund', 'Refunded', 'The operator decided for you', 'For you: the money was refunded'],
    ['release', 'Delivered', 'The operator decided for the seller', 'For the seller'],
  ] as const)('a decided dispute, %s: the page says how', async (decision, title, means, said) => {
    answer = { answer: 42 };
    const page = await browser().newPage();
    await payByCard(page);
    await showContent(page);
    await verdict(page).waitFor();
    await page.getByLabel('What is wrong').fill('<b>It</b> is 41.');
    await page.getByRole('button', { name: 'Open a dispute' }).click();
    await page.getByText('Your dispute is open').waitFor();
    const purchaseId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await operatorClient(baseUrl, operatorSecret).decideDispute({ purchaseId, decision });
    await page.reload({ waitUntil: 'networkidle' });
    await page.locator('.overline').getByText(title).waitFor();
    const main = (await page.locator('main').textContent()) ?? '';
    expect(main).toContain(means);
    expect(main).toContain(said);
    expect(main).toContain('<b>It</b> is 41.');
    expect(main).not.toContain('Your dispute is open');
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  test('what an agent asked for its person stands there', async () => {
    const page = await browser().newPage();
    await page.goto(origin + purchasePaths.ready, { waitUntil: 'networkidle' });
    await page.getByText('Your query to the seller').click();
    expect(await page.locator('details pre').first().textContent()).toContain('"harbour": "Cork"');
    await page.close();
  });

  test('content that means harm is shown as text, and saved as it is', async () => {
    const harm = {
      '</pre><script>document.title="owned"</script>': `<img src=x onerror="document.title='owned'">`,
      quote: `"'&quot; \u202e\u200b </article> ${'x'.repeat(5000)}`,
    };
    answer = harm;
    const page = await browser().newPage();
    await payByCard(page);
    const troubles = watch(page, origin);
    await showContent(page);
    await verdict(page).waitFor();
    expect(await verdict(page).textContent()).toContain('the content matches it');
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('main img, main script').count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save as a file' }).click();
    expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toMatchObject(harm);
    expect(troubles).toEqual([]);
    answer = { answer: 42 };
    await page.close();
  });

  test('a receipt that was changed on its way is said to be', async () => {
    const page = await browser().newPage();
    await page.route(`${origin}${purchasePaths.held}`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(
        /&quot;priceCents&quot;:\d+/g,
        '&quot;priceCents&quot;:1',
      );
      await route.fulfill({
        response,
        body: body.replaceAll(/&quot;amountCents&quot;:\d+/g, '&quot;amountCents&quot;:1'),
      });
    });
    await page.goto(origin + purchasePaths.held);
    await page.locator('#verdict[data-checked="bad"]').waitFor();
    await page.close();
  });

  test('works without scripts', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await payByCard(page);
    await showContent(page);
    await page.locator('#delivered dd').getByText('42').waitFor();
    await page.getByText('As JSON').click();
    expect(await page.getByText('"answer": 42').isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'verify', exact: true }).getAttribute('href')).toBe(
      '/verify',
    );
    await context.close();
  });
});

describe('the link of a purchase', () => {
  const paths = Object.values(purchasePaths);

  test('is opened by nobody with the token of another, half of one, or none', async () => {
    const [one = '', other = ''] = paths;
    const [path, token] = one.split('?token=');
    const otherToken = other.split('?token=')[1];
    const links = [
      `${path}?token=${otherToken}`,
      `${path}?token=${token?.slice(0, -1)}`,
      `${path}?token=`,
      `${path}`,
      `${path}?token=${'x'.repeat(500)}`,
      `/purchases/00000000-0000-4000-8000-000000000000?token=${token}`,
      `/purchases/none?token=${token}`,
    ];
    for (const link of links) {
      for (const init of [{}, { method: 'POST', body: new URLSearchParams({ do: 'show' }) }]) {
        const response = await fetch(origin + link, init);
        const html = await response.text();
        expect([link, response.status]).toEqual([link, 404]);
        expect(html).toContain('This link opens no purchase');
        expect(html).not.toContain('Tide tables');
        expect(response.headers.get('cache-control')).toBe('no-store');
      }
    }
  });

  test('fetched by what previews links, asks no seller and charges nothing', async () => {
    const before = asked;
    const { id, checkoutUrl } = await stranger.purchaseListing({ listingId, paymentMethod: 'checkout' });
    const checkout = await (await fetch(checkoutUrl ?? '')).text();
    const link = /href="([^"]+)">Back without/.exec(checkout)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(link).toContain(id);
    await fetch(checkoutUrl ?? '', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ card_number: '4242424242424242', expiry: '12/34', cvc: '123' }),
    });
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
    const html = await (await fetch(link)).text();
    expect(html).toContain('Ready to collect');
    // The token stands nowhere but where the form is sent.
    const token = new URL(link).searchParams.get('token') ?? '';
    expect(html.replaceAll(/action="[^"]*"/g, '')).not.toContain(token);
    expect(asked).toBe(before);
  });
});
