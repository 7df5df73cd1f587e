import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { showProblems } from '@agent-marketplace/devkit/worker-log.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { describeInBrowser, watch } from './browser.ts';

let marketplace: Marketplace;
beforeAll(async () => {
  if (inject('chromium') !== null) marketplace = await startTemporaryMarketplace({ onLog: showProblems });
});
afterAll(() => marketplace?.close());

describeInBrowser('the link in the mail about an erasure', (browser) => {
  test('changes nothing when it is opened, cancels with its button, and then no more', async () => {
    const email = 'owner@example.com';
    const stranger = createMarketplaceClient({ baseUrl: marketplace.baseUrl });
    const { apiKey } = await stranger.registerAgent({ name: 'Leaving', email });
    const agent = stranger.withApiKey(apiKey);
    await agent.requestErasure({});
    await marketplace.runScheduled();
    const link = marketplace.mail.messages
      .filter(({ to }) => to === email)
      .flatMap(({ text }) => /\/account\/erasure\S+/.exec(text) ?? [])
      .at(-1);
    const url = new URL(link ?? '', marketplace.baseUrl).href;
    const page = await browser().newPage();
    const troubles = watch(page, new URL(url).origin);
    const opened = await page.goto(url, { waitUntil: 'networkidle' });
    expect([opened?.status(), opened?.headers()['cache-control']]).toEqual([200, 'no-store']);
    expect(await axeViolations(page)).toEqual([]);
    expect((await agent.getErasure()).state).toBe('due');
    await page.getByRole('button', { name: 'Cancel the erasure' }).click();
    await page.getByRole('heading', { level: 1, name: 'The account stays' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect((await agent.getErasure()).state).toBe('none');
    expect(troubles).toEqual([]);
    await page.goto(url);
    await page.getByRole('button', { name: 'Cancel the erasure' }).click();
    await page.getByRole('heading', { level: 1, name: 'This link cancels nothing' }).waitFor();
    await page.close();
  });
});
