import { takeCardEvent } from '../sales/index.ts';
import type { Webhook } from '../transport/http/webhooks.ts';

/** Receives the card processor's events. They repeat and come out of order, so each only names an object to check. */
export const cardWebhook: Webhook = {
  path: '/webhooks/card',
  signatureHeader: 'stripe-signature',
  async take(ports, rawBody, signature) {
    const event = await ports.cards?.readWebhook(rawBody, signature, ports.clock.now());
    // Without a processor there is no secret, and nothing can be told from a forgery.
    if (event === undefined || event === 'unauthentic') return 'unauthentic';
    if (event !== 'irrelevant') await takeCardEvent(ports, event);
    return 'taken';
  },
};
