import { join } from 'node:path';
import { createMarketplaceClient, type MarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk';
import type { DeliveryRequest } from '@agent-marketplace/sdk/seller';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { PRICED_PRODUCTS, PRODUCTS } from './example-seller/products.ts';
import { readJson, writePrivateJson } from './private-json.ts';
import { startSellerServer } from './seller-server.ts';

/** The state that the seller needs after a restart. */
interface Notebook {
  readonly apiKey: string;
  /** Listing ids by product key. */
  readonly listings: Readonly<Record<string, string>>;
  /** Whether it has where to be paid: what has a price is not for sale before. */
  readonly hasWallet?: true;
}

export interface ExampleSeller {
  readonly callbackUrl: string;
  /** Listing ids by product key. */
  readonly listings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * A seller as anyone could run it: an endpoint made with the SDK, registered and listed through the API. Its
 * key and listings are stored in `stateDir`, so that a restart only verifies the endpoint at its new port.
 */
export async function startExampleSeller(options: {
  readonly baseUrl: string;
  readonly stateDir: string;
  /** Whether it sells for money as well: it is paid in USDC, on a chain of this machine. */
  readonly isPaid?: boolean;
}): Promise<ExampleSeller> {
  const file = join(options.stateDir, 'example-seller.json');
  const stranger = createMarketplaceClient({ baseUrl: options.baseUrl });
  let notebook = (await knownNotebook(stranger, file)) ?? (await register(stranger));
  const seller = stranger.withApiKey(notebook.apiKey);
  const server = await startSellerServer({
    marketplace: options.baseUrl,
    deliver: (request) => answer(request, notebook),
  });
  try {
    await writePrivateJson(file, notebook);
    await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
    for (const { key, listing } of options.isPaid ? [...PRODUCTS, ...PRICED_PRODUCTS] : PRODUCTS) {
      if (notebook.listings[key] !== undefined) continue;
      const created = await seller.createListing(listing);
      notebook = { ...notebook, listings: { ...notebook.listings, [key]: created.listing.id } };
      await writePrivateJson(file, notebook);
    }
    if (options.isPaid && !notebook.hasWallet) {
      await bindWallet(seller);
      notebook = { ...notebook, hasWallet: true };
      await writePrivateJson(file, notebook);
    }
  } catch (error) {
    await server.close();
    throw error;
  }
  return { callbackUrl: server.callbackUrl, listings: notebook.listings, close: server.close };
}

/** What it earns nobody spends. */
async function bindWallet(seller: MarketplaceClient): Promise<void> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { nonce, message } = await seller.challengePayoutWallet({ address: account.address });
  await seller.bindPayoutWallet({ nonce, signature: await account.signMessage({ message }) });
}

/** The stored notebook; null if there is none, or if it belongs to another marketplace. */
async function knownNotebook(stranger: MarketplaceClient, file: string): Promise<Notebook | null> {
  const notebook = await readJson<Notebook>(file);
  if (notebook === null) return null;
  try {
    await stranger.withApiKey(notebook.apiKey).getOwnAgent();
    return notebook;
  } catch (error) {
    if (error instanceof MarketplaceError && error.code === 'invalid_api_key') return null;
    throw error;
  }
}

async function register(stranger: MarketplaceClient): Promise<Notebook> {
  const { apiKey } = await stranger.registerSeller({ name: 'Example seller of the development kit' });
  if (apiKey === null) throw new Error('A registration without a key must make one.');
  return { apiKey, listings: {} };
}

function answer({ listingId, query }: DeliveryRequest, { listings }: Notebook) {
  const product = [...PRODUCTS, ...PRICED_PRODUCTS].find(({ key }) => listings[key] === listingId);
  return product?.answer(query, Date.now()) ?? null;
}
