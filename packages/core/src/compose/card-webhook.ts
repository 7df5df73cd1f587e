import type { CardEvent } from '../kernel/ports/card-processor.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { reportCheckout, settleAccount, settleChargeback, settleReturned } from '../sales/index.ts';
import type { Webhook } from '../transport/http/webhooks.ts';
import { completeSetup, settleTopUp } from '../wallet/index.ts';

/** Receives the card processor's events. They repeat and come out of order, so each only names an object to check. */
export const cardWebhook: Webhook = {
  path: '/webhooks/card',
  signatureHeader: 'stripe-signature',
  async take(ports, rawBody, signature) {
    const event = await ports.cards?.readWebhook(rawBody, signature, ports.clock.now());
    // Without a processor there is no secret, and nothing can be told from a forgery.
    if (event === undefined || event === 'unauthentic') return 'unauthentic';
    if (event !== 'irrelevant') await checkObject(ports, event.about);
    return 'taken';
  },
};

async function checkObject(ports: Ports, about: CardEvent['about']): Promise<void> {
  switch (about.kind) {
    case 'checkout':
    case 'payment':
      if (!(await reportCheckout(ports, about))) await settleTopUp(ports, about);
      if (about.kind === 'payment') await settleReturned(ports, about.paymentId);
      return;
    case 'dispute':
      await settleChargeback(ports, about.disputeId);
      return;
    case 'account':
      await settleAccount(ports, about.accountId);
      return;
    case 'setup':
      await completeSetup(ports, about.sessionId);
  }
}
