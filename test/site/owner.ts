import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';

const linksRead = new Map<string, number>();

/** The last link that was mailed to an address, to this page if one is named, of those since the last such call. */
export async function linkMailedTo(marketplace: Marketplace, address: string, page = ''): Promise<string> {
  const place = `${marketplace.baseUrl} ${address} ${page}`;
  const links = await vi.waitFor(
    async () => {
      // A run may leave a mail to another one that has just begun to send it.
      await marketplace.runScheduled();
      const texts = marketplace.mail.messages.filter(({ to }) => to === address).map(({ text }) => text);
      // A job that knows no address of the site writes its path alone.
      const found = texts.flatMap((text) => /(?:https?:\/)?\/\S+#token=\S+/.exec(text) ?? []);
      const links = found.filter((link) => link.includes(`${page}#`));
      if (links.length <= (linksRead.get(place) ?? 0)) throw new Error(`No link was mailed to ${address}.`);
      return links;
    },
    { timeout: 20_000, interval: 200 },
  );
  linksRead.set(place, links.length);
  return new URL(links.at(-1) ?? '', marketplace.baseUrl).href;
}

/** A device of a person, who confirms whatever it is asked. */
export async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
