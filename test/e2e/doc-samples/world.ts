import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli } from '@agent-marketplace/devkit/build-cli.ts';
import { enterCard, enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { type ExampleSeller, startExampleSeller } from '@agent-marketplace/devkit/example-seller.ts';
import { startLocalWitness } from '@agent-marketplace/devkit/log/witnessed-log.ts';
import { type Marketplace, startMarketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { REPOSITORY } from '@agent-marketplace/devkit/repository.ts';
import { type SellerServer, startSellerServer } from '@agent-marketplace/devkit/seller-server.ts';
import { createMarketplaceClient, type MarketplaceClient, type Operations } from '@agent-marketplace/sdk';

const GOOD_CARD = '4000000000000077';
/** What every stand-in for a seller of the pages answers. */
export const TIDES = { harbour: 'Brest', tides: [{ at: '04:12', metres: 6.1 }] };

export interface Agent {
  readonly apiKey: string;
  readonly client: MarketplaceClient;
}
export type Seller = Agent & SellerServer;

/** A marketplace as `pnpm dev` starts it, and whom the pages take for granted on it. */
export interface World {
  readonly market: Marketplace;
  readonly anyone: MarketplaceClient;
  /** The program of the command line, as it is installed. */
  readonly cli: string;
  readonly folder: string;
  readonly adminSecret: string;
  /** Listings of the seller that `pnpm dev` has, by product. */
  readonly examples: ExampleSeller['listings'];
  newBuyer(): Promise<Agent>;
  /** An endpoint that is nobody's yet, and answers tides. */
  newEndpoint(): Promise<SellerServer>;
  /** With an endpoint and payouts. */
  newSeller(): Promise<Seller>;
  list(seller: Agent, fields: Partial<Operations['createListing']['input']>): Promise<string>;
  /** What a person does at a page of the card processor, once. */
  payAt(url: string): Promise<void>;
  connectPayouts(client: MarketplaceClient): Promise<void>;
  /** Until the marketplace knows what people did at the card processor. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'samples-'));
  const stateDir = join(folder, '.state');
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  ];
  const log = await startLocalWitness(stateDir);
  closing.unshift(log.close);
  const market = await startMarketplace({ port: 0, stateDir, variables: log.variables });
  closing.unshift(market.close);
  await cp(join(REPOSITORY, 'packages/cli/bin'), join(folder, 'cli/bin'), { recursive: true });
  await buildCli(join(folder, 'cli/dist/agent-market.js'));
  const example: ExampleSeller = await startExampleSeller({ baseUrl: market.baseUrl, stateDir });
  closing.unshift(example.close);
  const anyone = createMarketplaceClient({ baseUrl: market.baseUrl, retries: 0 });
  const visits = new Map<string, Promise<unknown>>();
  const settled = async () => {
    await Promise.all(visits.values());
    await market.cards?.control.webhooks.settled();
  };
  const newEndpoint = async () => {
    const server = await startSellerServer({ marketplace: market.baseUrl, deliver: async () => TIDES });
    closing.unshift(server.close);
    return server;
  };
  const connectPayouts = async (client: MarketplaceClient) => {
    const { onboardingUrl } = await client.registerSeller({ name: 'Harbour master', country: 'US' });
    await enterPayoutDetails(onboardingUrl ?? '');
    await settled();
  };
  return {
    market,
    anyone,
    folder,
    adminSecret: JSON.parse(await readFile(join(stateDir, 'secrets.json'), 'utf8')).ADMIN_SECRET,
    examples: example.listings,
    newEndpoint,
    connectPayouts,
    settled,
    cli: join(folder, 'cli/bin/agent-market.cjs'),
    async newBuyer() {
      const { apiKey } = await anyone.registerAgent({ name: 'Buyer of the samples' });
      const client = anyone.withApiKey(apiKey);
      const { checkoutUrl } = await client.fundWallet({ amountCents: 20_000 });
      await enterCard(checkoutUrl, GOOD_CARD);
      await settled();
      return { apiKey, client };
    },
    async newSeller() {
      const { apiKey } = await anyone.registerSeller({ name: 'Harbour master' });
      const client = anyone.withApiKey(apiKey ?? '');
      const server = await newEndpoint();
      await client.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
      await connectPayouts(client);
      return { apiKey: apiKey ?? '', client, ...server };
    },
    async list({ client }, fields) {
      const { listing } = await client.createListing({
        title: 'Tide tables by harbour',
        description: 'High and low water of the day at the harbour that you name: time in UTC, and height.',
        preview: { harbours: ['Brest'] },
        priceCents: 90,
        consent: true,
        ...fields,
      });
      return listing.id;
    },
    async payAt(url) {
      if (!visits.has(url)) visits.set(url, enterCard(url, GOOD_CARD));
      await visits.get(url);
    },
    async close() {
      for (const close of closing) await close();
    },
  };
}
