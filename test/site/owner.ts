import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import type { Page } from 'playwright-core';

/** The last link that was mailed to an address. */
export async function linkMailedTo(marketplace: Marketplace, address: string): Promise<string> {
  await marketplace.runScheduled();
  const texts = marketplace.mail.messages.filter(({ to }) => to === address).map(({ text }) => text);
  // A job that knows no address of the site writes its path alone.
  const link = texts.flatMap((text) => /(?:https?:\/)?\/\S+#token=\S+/.exec(text) ?? []).at(-1);
  if (link === undefined) throw new Error(`No link was mailed to ${address}.`);
  return new URL(link, marketplace.baseUrl).href;
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
