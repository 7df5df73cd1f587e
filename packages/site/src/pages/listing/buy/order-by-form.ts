import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { refusalFacts } from '../../../order/refusal-facts.ts';
import type { RefusalFacts } from '../../../order/refusal-words.ts';
import type { Visit } from '../../../page.ts';

type Purchase = Operations['purchaseListing']['output'];

export type OrderResult =
  | { readonly kind: 'ordered'; readonly purchase: Purchase }
  | { readonly kind: 'refused'; readonly status: number; readonly facts: RefusalFacts };

/** A seller has 30 seconds to deliver. */
const DELIVERY_TIMEOUT_MS = 45_000;

/** Buys what the form of a reader without scripts asks for, at no more than the price that its page showed. */
export async function orderByForm(
  { api, form }: Visit,
  listing: { readonly id: string; readonly priceCents: number },
  query: JsonObject | null,
): Promise<OrderResult> {
  const email = form.get('email')?.trim() ?? '';
  const shown = form.get('price') ?? '';
  const input = {
    listingId: listing.id,
    ...(query === null ? {} : { query }),
    maxPriceCents: /^\d{1,10}$/.test(shown) ? Number(shown) : 0,
    ...(listing.priceCents === 0 ? {} : { paymentMethod: 'checkout' as const }),
    ...(email === '' ? {} : { email }),
  };
  // The same form sent twice buys once; one that was changed is another order.
  // A digest, since not every text of a stranger is a header.
  const idempotencyKey = (await sha256Digest(JSON.stringify([form.get('order'), input]))).slice(
    'sha256:'.length,
  );
  try {
    const purchase = await api.purchaseListing(input, { idempotencyKey, timeoutMs: DELIVERY_TIMEOUT_MS });
    return { kind: 'ordered', purchase };
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    return { kind: 'refused', status: error.status || 503, facts: refusalFacts(error) };
  }
}
