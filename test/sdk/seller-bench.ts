import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSellerEndpoint as createMarketplaceSide } from '@agent-marketplace/core/adapters/fetch/seller-endpoint.ts';
import { sellerRelay } from '@agent-marketplace/core/compose/seller-relay.ts';
import type { DeliveryPorts } from '@agent-marketplace/core/delivery/ask-seller.ts';
import {
  createSigningParty,
  NOW,
  type SigningParty,
  signingKeyDocument,
} from '@agent-marketplace/protocol/testing/signing-party.ts';
import { keySetOf } from '@agent-marketplace/sdk';
import type { Deliver } from '@agent-marketplace/sdk/seller';
import {
  createSellerEndpoint,
  type FetchHandler,
  type SellerEndpointOptions,
  toNodeListener,
} from '@agent-marketplace/sdk/seller';

export const WANTED = {
  listingId: 'l-1',
  fingerprint: `sha256:${'0'.repeat(64)}`,
  title: 'Prices',
  verticalSlug: 'finance',
  query: { of: 'ü' },
};

/** A seller behind a real HTTP server, and the marketplace's own code to ask it. */
export async function startSellerBench(deliver: Deliver) {
  const party = await createSigningParty();
  const time = { seller: NOW, marketplace: NOW };
  const state: { handler: FetchHandler; lastPost: { headers: Headers; body: string } } = {
    handler: async () => Response.json({ data: {} }),
    lastPost: { headers: new Headers(), body: '' },
  };
  const server = createServer(
    toNodeListener(async (request) => {
      const body = await request.clone().text();
      state.lastPost = { headers: new Headers(request.headers), body };
      return state.handler(request);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/deliver?seller=1`;

  return {
    party,
    time,
    callbackUrl,
    close: () => new Promise((resolve) => server.close(resolve)),
    /** Starts the seller anew: it has seen nothing yet, and the clocks agree. */
    open(options: Partial<SellerEndpointOptions> = {}) {
      time.seller = NOW;
      time.marketplace = NOW;
      const marketplace = keySetOf(signingKeyDocument(party));
      const now = () => time.seller;
      state.handler = createSellerEndpoint({ marketplace, callbackUrl, deliver, now, ...options });
    },
    /** Whatever answers in the seller's place. */
    serve(handler: FetchHandler) {
      state.handler = handler;
    },
    /** What a call of the marketplace needs. */
    ports(signer: SigningParty = party) {
      const clock = { now: () => time.marketplace };
      const sellerEndpoint = createMarketplaceSide({
        signer: signer.signer,
        clock,
        relay: sellerRelay(fetch, async () => null),
        allowLoopbackHttp: true,
      });
      return { clock, sellerEndpoint } as unknown as DeliveryPorts;
    },
    target: (url = callbackUrl) => ({ sellerId: 's-1', callbackType: 'webhook', callbackUrl: url }) as const,
    /** What arrived last, to be sent again or changed. */
    lastPost: () => state.lastPost,
    async post(headers: Headers, body: string | null, method = 'POST') {
      const response = await fetch(callbackUrl, { method, headers, body });
      return { status: response.status, body: await response.json() };
    },
  };
}
