import {
  buyListing,
  type MarketplaceClient,
  MarketplaceError,
  waitForPurchase,
} from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { explainInterrupt } from './explain-interrupt.ts';
import type { AnsweredPurchase } from './report-purchase.ts';

type PurchaseInput = Parameters<MarketplaceClient['purchaseListing']>[0];

export interface BuyRequest {
  readonly input: Omit<PurchaseInput, 'listingId' | 'maxPriceCents'>;
  readonly listing: { readonly id: string; readonly priceCents: number };
  readonly idempotencyKey: string;
  /** Whether to wait for a person who approves, or pays. */
  readonly wait: boolean;
}

const APPROVAL_PAUSE_MS = 5000;

/** Buys over the API, from a wallet, a saved card or by a link. Null: a person must pay first, at the link that was shown. */
export async function buyWithKey(shell: Shell, request: BuyRequest): Promise<AnsweredPurchase | null> {
  const { idempotencyKey, listing, wait } = request;
  const { client } = shell;
  shell.onInterrupt = () => explainInterrupt(shell, { idempotencyKey });
  const purchase = await shell.progress(
    'Buying: the seller is asked now, up to 30 s.',
    untilApproved(shell, request, () => buyListing(client, listing, request.input, { idempotencyKey })),
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
  return collectPurchase(shell, purchase.id);
}

/** Waits for the payment, and collects. */
export function collectPurchase(shell: Shell, purchaseId: string): Promise<AnsweredPurchase> {
  const { interrupt, sleep } = shell.terminal;
  return shell.progress(
    'Waiting for the payment.',
    waitForPurchase(shell.me, purchaseId, { signal: interrupt, sleep }),
  );
}

async function untilApproved<T>(
  shell: Shell,
  { wait, idempotencyKey, listing }: BuyRequest,
  buy: () => Promise<T>,
): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await buy();
    } catch (error) {
      if (!(error instanceof MarketplaceError) || error.code !== 'approval_required') throw error;
      const { approvalUrl, approvalBy } = error.problem;
      const ways =
        Array.isArray(approvalBy) && approvalBy.length > 0
          ? `by ${approvalBy.join(' or ')}`
          : 'once its e-mail address is verified';
      const text = `A person must approve this, ${ways}: ${approvalUrl}`;
      if (!wait) {
        throw new CliFailure('approval', text, {
          hint: `Nothing was charged. Once it is approved, add to the same command: --idempotency-key ${idempotencyKey} --max-price-cents ${listing.priceCents}`,
          facts: {
            code: error.code,
            charged: false,
            approvalUrl,
            approvalBy,
            idempotencyKey,
            problem: error.problem,
          },
        });
      }
      if (isFirst) shell.note(text);
      await shell.terminal.sleep(APPROVAL_PAUSE_MS, shell.terminal.interrupt);
    }
  }
}
