import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { signPost } from '@agent-marketplace/protocol/sign-post.ts';
import { NOW, type SigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import type { ReceivedCall, StubReply } from '../../packages/sdk/src/testing/stub-marketplace.ts';
import { challenge, sold } from '../../packages/sdk/src/testing/x402-seller.ts';

const CALLBACK_URL = 'https://seller.example/deliver';
const PAYER = '0xAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaa';

/** A marketplace with two listings, which sells them over and over: what `consumer.mjs` needs of one. */
export async function stubReplies(party: SigningParty): Promise<(call: ReceivedCall) => StubReply> {
  const sale = await sold(party, PAYER);
  const delivery = await signedDelivery(party);
  const listings = ['l-0', 'l-1'].map((id) => ({ id, priceCents: 3 }));
  const page = (offset: number) => ({ limit: 1, listings: [listings[offset] ?? {}], offset, total: 2 });
  const replies: Readonly<Record<string, StubReply>> = {
    'POST /api/agents/register': { status: 201, body: { apiKey: 'mkt_live_x' } },
    'GET /api/marketplace/listings?limit=1': { body: page(0) },
    'GET /api/marketplace/listings?limit=1&offset=1': { body: page(1) },
    'POST /api/marketplace/listings/l-1/purchase': sale,
    'GET /api/delivery': { body: delivery },
  };
  return ({ method, path, headers }) => {
    if (path.startsWith('/api/x402/')) return headers['payment-signature'] ? sale : challenge();
    const code = 'listing_not_found';
    return replies[`${method} ${path}`] ?? { status: 404, body: { code, detail: path, retryable: false } };
  };
}

/** A delivery_request as a seller receives it. */
async function signedDelivery({ signer }: SigningParty): Promise<JsonObject> {
  const timestamp = new Date(NOW).toISOString();
  const body = JSON.stringify({
    fingerprint: `sha256:${'0'.repeat(64)}`,
    issuedAt: timestamp,
    listingId: 'l-1',
    query: { of: 'ü' },
    title: 'Tides',
    type: 'delivery_request',
    verticalSlug: 'weather',
  });
  const headers = await signPost(signer, { callbackUrl: CALLBACK_URL, timestamp, body });
  return { body, callbackUrl: CALLBACK_URL, headers, sentAt: NOW };
}
