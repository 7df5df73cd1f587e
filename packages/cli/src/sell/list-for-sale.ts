import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { MarketplaceError } from '@agent-marketplace/sdk';
import { saveProfile } from '../config/save-profile.ts';
import { asSeller } from '../frame/as-seller.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import { explainFailure } from '../frame/explain-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { portOf } from '../gateway/add-gateway.ts';
import { readGatewayConfig, updateGatewayConfig } from '../gateway/config-file.ts';
import type { GatewayConfig, GatewayListing } from '../gateway/gateway-config.ts';
import type { RunningGateway } from '../gateway/serve-gateway.ts';
import type { ListingDraft } from './draft-listing.rules.ts';
import { proveServed } from './prove-served.ts';
import type { SellOptions } from './sell-options.ts';

export interface Sale {
  readonly draft: ListingDraft;
  readonly gatewayListing: GatewayListing;
}

export interface ListedSale {
  readonly listingId: string;
  readonly status: string;
  readonly sellerId: string;
  readonly callbackUrl: string;
  readonly configPath: string;
  /** Why it is pending; null when it is live. */
  readonly notice: string | null;
  /** Where a person does that without the key; null when it is live. */
  readonly claimUrl: string | null;
  /** Where a person connects payouts; null where nobody has to. */
  readonly onboardingUrl: string | null;
}

/** Registers the seller, verifies the gateway and lists: whatever of it is done already is left as it is. */
export async function listForSale(
  shell: Shell,
  { draft, gatewayListing }: Sale,
  options: Pick<SellOptions, 'callback' | 'config' | 'name' | 'port'>,
  serve: (() => Promise<RunningGateway>) | null,
): Promise<{ sale: ListedSale; running: RunningGateway | null }> {
  const { config: configPath } = options;
  const before = await readGatewayConfig(configPath);
  const callbackUrl = callbackUrlOf(shell, before, options);
  const name = options.name ?? draft.title;
  const { client, sellerId, endpointUrl } = await becomeSeller(shell, name);
  const withListings = (more: GatewayConfig['listings']) =>
    updateGatewayConfig(configPath, (now) => {
      if (now !== null && now.sellerId !== sellerId && Object.keys(now.listings).length > 0)
        throw new CliFailure('config', `${configPath} is of another seller (${now.sellerId}).`, {
          hint: 'Name another file with --config, or the profile of that seller with --profile.',
        });
      return {
        marketplace: shell.url,
        callbackUrl,
        sellerId,
        listings: { ...now?.listings, ...more },
      };
    });
  await withListings({});
  const running = serve === null ? null : await serve();
  try {
    if (running !== null || endpointUrl !== callbackUrl) await verify(shell, client, callbackUrl, configPath);
    const { listing, notice, claimUrl } = await shell.progress(
      'Listing',
      client.createListing({
        ...draft,
        preview: { ...draft.preview },
        inputSchema: { ...draft.inputSchema },
        outputSchema: { ...draft.outputSchema },
        exampleQuery: { ...draft.exampleQuery },
      }),
    );
    const { id: listingId, status } = listing;
    await withListings({ [listingId]: gatewayListing });
    const { title } = draft;
    await shell.progress(
      'Asking the gateway',
      proveServed({ title, listingId, sellerId, callbackUrl, configPath }),
    );
    const isUnpaid = status === 'pending' && draft.priceCents > 0;
    const onboardingUrl = isUnpaid ? await onboardingUrlOf(client, name) : null;
    const sale = {
      ...{ listingId, status, sellerId, callbackUrl, configPath, onboardingUrl },
      ...{ notice: notice ?? null, claimUrl: claimUrl ?? null },
    };
    return { sale, running };
  } catch (error) {
    await running?.close();
    throw error;
  }
}

interface Seller {
  readonly client: MarketplaceClient;
  readonly sellerId: string;
  /** What is verified already. */
  readonly endpointUrl: string | null;
}

async function becomeSeller(shell: Shell, name: string): Promise<Seller> {
  if (shell.settings.apiKey !== null) {
    const [{ id }, { endpoint }] = await Promise.all([shell.me.getOwnAgent(), readSeller(shell)]);
    return {
      client: shell.me,
      sellerId: id,
      endpointUrl: endpoint?.callbackType === 'webhook' ? endpoint.callbackUrl : null,
    };
  }
  // A key is shown once: whether it can be kept is found out before there is one.
  await saveProfile(shell, { url: shell.url });
  const { apiKey, sellerId } = await shell.progress(
    'Registering a seller',
    shell.client.registerSeller({ name }),
  );
  if (apiKey === null) throw new CliFailure('fault', 'The marketplace registered a seller without a key.');
  await saveProfile(shell, { url: shell.url, apiKey }).catch((error: unknown) => {
    shell.note(`The key could not be saved. This is the only time it is shown: ${apiKey}`);
    throw error;
  });
  return { client: shell.client.withApiKey(apiKey), sellerId, endpointUrl: null };
}

/** Where a person says where the money goes; null where nobody has to. */
async function onboardingUrlOf(client: MarketplaceClient, name: string): Promise<string | null> {
  const { onboardingUrl } = await client.registerSeller({ name });
  return onboardingUrl;
}

async function verify(
  shell: Shell,
  client: MarketplaceClient,
  callbackUrl: string,
  configPath: string,
): Promise<void> {
  try {
    await shell.progress(`Verifying ${callbackUrl}`, client.setDeliveryEndpoint({ callbackUrl }));
  } catch (error) {
    const failure = explainFailure(error);
    const isGateway =
      error instanceof MarketplaceError && /^endpoint_(not_verified|timed_out)$/.test(error.code);
    if (failure === null || !isGateway) throw error;
    throw new CliFailure(failure.exit, `The marketplace does not reach your gateway at ${callbackUrl}.`, {
      hint: `Run it there, then repeat this command: agent-market gateway --config ${configPath}\nOr run it in this process: --serve`,
      facts: failure.facts,
    });
  }
}

/** On a marketplace of one's own machine, a gateway on it is reached as well. */
function callbackUrlOf(
  shell: Shell,
  before: GatewayConfig | null,
  { callback, port }: Pick<SellOptions, 'callback' | 'port'>,
): string {
  if (callback !== undefined && !URL.canParse(callback))
    throw new CliFailure('usage', `"${callback}" is not a URL such as https://gateway.example/deliver.`);
  const known = callback ?? before?.callbackUrl;
  if (known !== undefined) return known;
  const { hostname } = new URL(shell.url);
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    return `http://localhost:${portOf(port, shell)}/deliver`;
  throw new CliFailure(
    'usage',
    'Say where the marketplace reaches your gateway: --callback https://gateway.example/deliver.',
    {
      hint: 'It is a public https address: of `agent-market gateway` on your server, or of the Worker that `agent-market gateway export worker` makes.',
    },
  );
}

/** Of a profile with a key, which becomes a seller's. */
export const readSeller = (shell: Shell) =>
  asSeller(shell, (client) => client.getSellerDashboard({ limit: 1 }));
