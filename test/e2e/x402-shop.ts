import { enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import type { LocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { metered } from '@agent-marketplace/sdk/seller';
import { type ClientEvmSigner, ExactEvmScheme } from '@x402/evm';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

/** Under the dollar above which the reference client asks its owner. */
export const PRICE_CENTS = 90;
export const PRICE_UNITS = 900_000n;
export const POCKET_UNITS = 2n * PRICE_UNITS;
export const CONTENT = { low: '04:12' };

export type Hex = `0x${string}`;

export interface QueryAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
  readonly body: any;
}

/** A marketplace with one listing, whose price is paid on a chain at hand. */
export interface X402Shop {
  readonly listingId: string;
  readonly url: string;
  readonly buyer: MarketplaceClient;
  readonly seller: MarketplaceClient;
  /** What happens between the check of a payment and its settlement: the seller is asked. False: it has nothing. */
  beforeAnswer: () => Promise<unknown> | unknown;
  /** What the seller says that it used; null: it says nothing of that. */
  units: number | null;
  /** How often the seller was asked. */
  sellerCalls: number;
  newPayer(): Promise<PrivateKeyAccount>;
  /** One payment as the reference client of version 2 signs it, as headers. */
  sign(payer: ClientEvmSigner): Promise<Record<string, string>>;
  query(payment: Record<string, string>): Promise<QueryAnswer>;
  close(): Promise<void>;
}

export async function openX402Shop(
  place: Marketplace,
  chain: LocalChain,
  now = () => place.now(),
): Promise<X402Shop> {
  const buyer = createMarketplaceClient({ baseUrl: place.baseUrl, retries: 0 });
  const { apiKey, onboardingUrl } = await buyer.registerSeller({ name: 'Harbour master' });
  const seller = buyer.withApiKey(apiKey ?? '');
  const { listing } = await seller.createListing({
    title: 'Tide tables by harbour',
    description: 'High and low water of the day at the harbour that you name: time in UTC, and height.',
    preview: { harbours: ['Lisbon'] },
    priceCents: PRICE_CENTS,
    consent: true,
  });
  const server = await startSellerServer({
    marketplace: place.baseUrl,
    now,
    deliver: async () => {
      shop.sellerCalls += 1;
      if ((await shop.beforeAnswer()) === false) return null;
      return shop.units === null ? CONTENT : metered(CONTENT, shop.units);
    },
  });
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await enterPayoutDetails(onboardingUrl ?? '');
  await place.cards?.control.webhooks.settled();
  const url = `${place.baseUrl}/x402/listings/${listing.id}/query`;
  const shop: X402Shop = {
    listingId: listing.id,
    url,
    buyer,
    seller,
    beforeAnswer: () => {},
    sellerCalls: 0,
    units: null,
    async newPayer() {
      const account = privateKeyToAccount(generatePrivateKey());
      await chain.control.mint(account.address, POCKET_UNITS);
      return account;
    },
    async sign(payer) {
      const http = new x402HTTPClient(new x402Client().register('eip155:8453', new ExactEvmScheme(payer)));
      const unpaid = await fetch(url);
      const required = http.getPaymentRequiredResponse(
        (name) => unpaid.headers.get(name),
        await unpaid.json(),
      );
      return http.encodePaymentSignatureHeader(await http.createPaymentPayload(required));
    },
    async query(payment) {
      const response = await fetch(url, { headers: payment });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    close: server.close,
  };
  return shop;
}

// biome-ignore lint/suspicious/noExplicitAny: a header of x402, as it decodes.
export function decoded(header: string | null | undefined): any {
  return JSON.parse(atob(header ?? ''));
}
