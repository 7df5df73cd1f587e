import type { Page } from 'playwright-core';
import { describe, expect, inject, test, vi } from 'vitest';
import { describeInBrowser } from './browser.ts';
import type { SignedThing } from './world.ts';

const { origin, signed, listingId } = inject('world');

/** What is found in each, in the order in which it is shown. */
const FINDINGS: Readonly<Record<SignedThing, readonly string[]>> = {
  answer: ['Answer of the marketplace'],
  purchase: ['Answer of the marketplace', 'Purchase with its receipt'],
  history: ['Answer of the marketplace', 'History of a listing (2)'],
  ratings: ['Answer of the marketplace', 'Rating with its attestation'],
  admission: ['Answer of the marketplace', 'Receipt of the ingress door'],
  refusal: ['Answer of the marketplace'],
};
const THINGS = Object.entries(FINDINGS) as [SignedThing, readonly string[]][];

/** The same with one digit of its digest changed, wherever it is. */
const forged = (text: string) =>
  text.replaceAll(/(sha256:[0-9a-f]{63})([0-9a-f])/g, (_, start, last) => start + (last === '0' ? '1' : '0'));

async function findings(page: Page, text: string): Promise<(readonly [string, string])[]> {
  await page.locator('#outcome').evaluate((element) => element.replaceChildren());
  await page.locator('#pasted').fill(text);
  await page.getByRole('button', { name: 'Check' }).click();
  await page.locator('#outcome > *').first().waitFor();
  return page.locator('#outcome > *').evaluateAll((all) =>
    all.map((one) => {
      const verdict = one.querySelector('.verdict')?.textContent ?? '';
      const title = one.querySelector('h2')?.textContent ?? one.textContent ?? '';
      return [verdict, title.slice(verdict.length).trim()] as const;
    }),
  );
}

describeInBrowser('verifying in the browser', (browser) => {
  test.each([true, false])('a rating from its listing, with scripts: %s', async (javaScriptEnabled) => {
    const context = await browser().newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${origin}/listings/${listingId}`);
    expect(await page.getByRole('row', { name: '5 stars 1', exact: true }).isVisible()).toBe(true);
    expect(await page.locator('.price-history figcaption').textContent()).toMatch(
      /^The price changed once: \$24\.00 on \S+, \$26\.00 since \S+\.$/,
    );
    await page.getByRole('link', { name: /^Check it: the rating of 5 of 5 stars/ }).click();
    await page.locator('.finding h2', { hasText: 'Rating with its attestation' }).waitFor();
    expect(await page.locator('.verdict').allTextContents()).toEqual(['Valid']);
    await context.close();
  });

  test('needs no network, and sends nothing', async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/verify`, { waitUntil: 'networkidle' });
    await context.setOffline(true);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));

    for (const [thing, titles] of THINGS) {
      expect(await findings(page, signed[thing])).toEqual(titles.map((title) => ['Valid', title]));
      const ofForged = await findings(page, forged(signed[thing]));
      expect(ofForged.map(([verdict]) => verdict)).toEqual(titles.map(() => 'Not valid'));
    }
    expect(await findings(page, '{}')).toEqual([['', 'Nothing in it is signed.']]);
    expect((await findings(page, 'no JSON'))[0]?.[1]).toContain('not one complete JSON object');
    const { provenance } = JSON.parse(signed.answer);
    expect(await findings(page, JSON.stringify(provenance.receipt))).toEqual([['Valid', 'Receipt alone']]);
    const around = JSON.stringify({ ...provenance.receipt, totals: { grossCents: 1 } });
    expect(await findings(page, around)).toEqual([['Not valid', 'Receipt alone']]);
    expect(asked).toEqual([]);
    await context.close();
  });

  test('that a purchase stands in the log, as the policy of the reader says', async () => {
    const { receipt } = JSON.parse(signed.purchase);
    const log = `${origin}/api/log`;
    const proof = await vi.waitFor(async () => {
      const response = await fetch(`${log}/proofs/${receipt.digest}`);
      if (!response.ok) throw new Error(`The proof is not there: ${response.status}`);
      return response.text();
    }, 30_000);
    const policy = `log ${await (await fetch(`${log}/key`)).text()}quorum none\n`;
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/verify`, { waitUntil: 'networkidle' });
    await page.locator('#pasted').fill(signed.purchase);
    await page.locator('summary', { hasText: 'stands in the log' }).click();
    const check = async (text: string) => {
      await page.locator('#proof').fill(text);
      await page.locator('#outcome').evaluate((element) => element.replaceChildren());
      await page.getByRole('button', { name: 'Check' }).click();
      return page.locator('.finding h2', { hasText: 'Entry of the log' }).textContent();
    };
    await page.locator('#policy').fill(policy);
    expect(await check(proof)).toBe('Valid Entry of the log');
    expect(await check(proof.replace(/^index \d+/m, 'index 0'))).toBe('Not valid Entry of the log');
    await page.locator('#policy').fill('quorum none');
    expect(await check(proof)).toBe('Not valid Entry of the log');
    await context.close();
    const body = new URLSearchParams({ pasted: signed.purchase, proof, policy, trustAnchors: '{}' });
    const byServer = await (await fetch(`${origin}/verify`, { method: 'POST', body })).text();
    expect(byServer).toMatch(/Valid<\/span> Entry of the log/);
  });

  test('a statement of its own, apart from what carried it', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/verify`, { waitUntil: 'networkidle' });
    const { receipt } = JSON.parse(signed.purchase);
    expect(await findings(page, JSON.stringify(receipt))).toEqual([['Valid', 'Statement: purchase receipt']]);
    await page.close();
  });

  test('keys of somebody else vouch for nothing here', async () => {
    const page = await browser().newPage();
    await page.goto(`${origin}/verify`, { waitUntil: 'networkidle' });
    await page.locator('summary', { hasText: 'The keys' }).click();
    await page.locator('#trustAnchors').fill('{"marketplace":null,"door":null,"schedule":null}');
    expect((await findings(page, signed.answer))[0]?.[0]).toBe('Not valid');
    await page.locator('#trustAnchors').fill('{"marketplace":{}}');
    expect((await findings(page, signed.answer))[0]?.[1]).toContain('not a valid document of keys');
    await page.close();
  });

  test("a listing's history is checked by its page", async () => {
    const page = await browser().newPage();
    const { listingId } = inject('world');
    await page.goto(`${origin}/listings/${listingId}`);
    await page.locator('#chain[data-checked="good"]').waitFor();
    expect(await page.locator('#chain').textContent()).toContain(
      '2 entries, each signed, in one unbroken chain',
    );
    await page.close();
  });

  test('a history that was changed on its way is said to be', async () => {
    const page = await browser().newPage();
    const { listingId } = inject('world');
    await page.route('**/history', async (route) => {
      const answer = await (await route.fetch()).json();
      answer.entries[0].reason = 'Made up.';
      await route.fulfill({ json: answer });
    });
    await page.goto(`${origin}/listings/${listingId}`);
    await page.locator('#chain[data-checked="bad"]').waitFor();
    expect(await page.locator('#chain').textContent()).toMatch(/is not valid at version \d/);
    await page.unroute('**/history');
    await page.route('**/history', async (route) => {
      const answer = await (await route.fetch()).json();
      answer.entries = answer.entries.filter(({ version }: { version: number }) => version === 1);
      await route.fulfill({ json: answer });
    });
    await page.reload();
    await page.locator('#chain[data-checked="bad"]').waitFor();
    expect(await page.locator('#chain').textContent()).toContain('newer entries than version 1 are missing');
    await page.close();
  });
});

describe('verifying without scripts', () => {
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${origin}/verify`, { method: 'POST', body: new URLSearchParams(fields), headers });

  test.each(THINGS)('the server finds the same in: %s', async (thing, titles) => {
    const page = await (await fetch(`${origin}/verify`)).text();
    const trustAnchors =
      /<textarea id="trustAnchors"[^>]*>\n([^<]*)</.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const good = await (await send({ pasted: signed[thing], trustAnchors })).text();
    expect(good.match(/class="verdict">[^<]*/g)).toEqual(titles.map(() => 'class="verdict">Valid'));
    const bad = await (await send({ pasted: forged(signed[thing]), trustAnchors })).text();
    expect(bad.match(/class="verdict">[^<]*/g)).toEqual(titles.map(() => 'class="verdict">Not valid'));
  });

  test('a form from another site, one too large, and what is no form', async () => {
    expect((await send({ pasted: '{}' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send({ pasted: 'x'.repeat(1024 * 1024) })).status).toBe(413);
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${origin}/verify`, json)).status).toBe(403);
  });
});
