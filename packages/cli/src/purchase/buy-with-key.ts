import { buyListing, type MarketplaceClient, waitForPurchase } from '@agent-marketplace/sdk';
import { sendMoneyRequest } from '../frame/send-money-request.ts';
import type { Shell } from '../frame/shell.ts';
import { amount } from '../output/money.ts';
import { explainInterrupt } from './explain-interrupt.ts';
import type { AnsweredPurchase } from './report-purchase.ts';
import { untilApproved } from './until-approved.ts';

type PurchaseInput = Parameters<MarketplaceClient['purchaseListing']>[0];

export interface BuyRequest {
  readonly input: Omit<PurchaseInput, 'listingId' | 'maxPriceCents'>;
  readonly listing: { readonly id: string; readonly priceCents: number };
  readonly idempotencyKey: string;
  /** Whether to wait for a person who approves, or pays. */
  readonly wait: boolean;
}

/** Buys over the API, from a wallet, a saved card or by a link. Null: a person must pay first, at the link that was shown. */
export async function buyWithKey(shell: Shell, request: BuyRequest): Promise<AnsweredPurchase | null> {
  const { idempotencyKey, wait } = request;
  const maxPriceCents = request.listing.priceCents;
  shell.onInterrupt = () => explainInterrupt(shell, { idempotencyKey });
  const purchase = await shell.progress(
    'Buying.',
    untilApproved(shell, { wait, next: { idempotencyKey, maxPriceCents } }, () => buy(shell, request)),
  );
  if (purchase.status !== 'pending_payment' || purchase.checkoutUrl === null) return purchase;
  if (!wait || shell.settings.apiKey === null) {
    const collect = `agent-market purchases collect ${purchase.id} --wait`;
    const text = [
      `To pay, open: ${purchase.checkoutUrl}`,
      shell.settings.apiKey === null ? 'What was bought is shown there.' : `Then collect it: ${collect}`,
    ];
    shell.print(purchase, text.join('\n'));
    return null;
  }
  shell.note(`To pay, open: ${purchase.checkoutUrl}`);
  return collectPurchase(shell, purchase.id, { wait });
}

function buy(shell: Shell, { listing, input, idempotencyKey }: BuyRequest) {
  const send = (client: MarketplaceClient) => buyListing(client, listing, input, { idempotencyKey });
  // Without a key nothing is charged before a page is paid, which only the answer names.
  if (shell.settings.apiKey === null) return send(shell.client);
  const outcome =
    input.paymentMethod === 'checkout'
      ? 'a page to pay may be open, and nothing is charged before it is paid.'
      : `${amount(listing.priceCents)} may be charged.`;
  const look = `agent-market purchases list --idempotency-key ${idempotencyKey}`;
  return sendMoneyRequest(shell, { outcome, look }, send);
}

/** Asks once for what was paid for, or, with `wait`, until it is paid. */
export function collectPurchase(
  shell: Shell,
  purchaseId: string,
  { wait }: { readonly wait: boolean },
): Promise<AnsweredPurchase & { readonly checkoutUrl: string | null }> {
  const { interrupt: signal, sleep } = shell.terminal;
  const lost = {
    outcome: 'what is reserved may be charged.',
    look: `agent-market purchases show ${purchaseId}`,
  };
  return shell.progress(
    wait ? 'Waiting for the payment.' : 'Collecting.',
    sendMoneyRequest(shell, lost, (me) =>
      wait ? waitForPurchase(me, purchaseId, { signal, sleep }) : me.getPurchase({ purchaseId }),
    ),
  );
}
