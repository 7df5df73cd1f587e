import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import type { Database } from '@agent-marketplace/core/kernel/ports/database.ts';
import {
  API_WORKER,
  INGRESS_WORKER,
  type Marketplace,
  startMarketplace,
  X402_WORKER,
} from '@agent-marketplace/devkit/marketplace.ts';
import { addDelivered, fill } from './fill.ts';
import { fillSales } from './fill-sales.ts';
import type { Origins } from './load.ts';
import { PROBES, type Setting, type WrittenRows } from './rows.ts';
import type { BenchSeller } from './seller.ts';
import { openTabs } from './tabs.ts';
import { fillWallet } from './wallet.ts';

export interface Catalogue {
  readonly marketplace: Marketplace;
  readonly market: Database;
  readonly origins: Origins;
}

/** Probes that are bound to more than the databases. */
const OWN_CONFIG: readonly string[] = ['object', 'relay', 'replay'];

function configOf(probe: string): string {
  // It is the API.
  if (probe === 'recorder') return 'wrangler.toml';
  return `test/bench/${OWN_CONFIG.includes(probe) ? probe : 'probe'}.wrangler.toml`;
}

/** A marketplace with so many listings, and the probes beside it. */
export async function startCatalogue(stateDir: string, listings: number): Promise<Catalogue> {
  const marketplace = await startMarketplace({
    port: 0,
    stateDir,
    onLog: ({ level, message }) => {
      if (level === 'error') console.error(message);
    },
    neighbours: PROBES.map((name) => ({
      name,
      config: configOf(name),
      entry: `test/bench/probes/${name}.ts`,
    })),
  });
  const { miniflare } = marketplace;
  const market = createDatabase((await miniflare.getD1Database('DB', API_WORKER)) as unknown as D1Database);
  const search = createDatabase(
    (await miniflare.getD1Database('SEARCH', API_WORKER)) as unknown as D1Database,
  );
  await fill({ market, search }, listings);
  await fillSales(market, listings);

  const origins = await Promise.all(
    [API_WORKER, INGRESS_WORKER, X402_WORKER, ...PROBES].map(async (name) => {
      const url = await miniflare.unsafeGetDirectURL(name);
      return [name, url.origin] as const;
    }),
  );
  return { marketplace, market, origins: Object.fromEntries(origins) };
}

/** What the rows need to know: a buyer and its wallet, listings that are delivered, the tag of what is cached. */
export async function settingOf(large: Catalogue, small: Catalogue, seller: BenchSeller): Promise<Setting> {
  await addDelivered(large.market, seller);
  const api = `${large.origins[API_WORKER]}/api`;
  const registered = await fetch(`${api}/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench' }),
  });
  const { apiKey, id } = (await registered.json()) as { apiKey: string; id: string };
  const keyDocument = await fetch(`${api}/signing-key`);
  await keyDocument.arrayBuffer();
  return {
    large: large.origins,
    small: small.origins,
    apiKey,
    tabs: await openTabs(large.market),
    fillWallet: () => fillWallet(large.market, id),
    countWritten: () => countWritten(large.market),
    sellerUrls: { plain: seller.plainUrl, claimed: seller.claimedUrl, small: seller.smallUrl },
    keyTag: keyDocument.headers.get('etag') ?? '',
  };
}

/** Of sales, and only where they belong to one: what else is written meanwhile does not count. */
const OF_SALES = {
  purchases: 'SELECT COUNT(*) FROM purchases',
  payments: 'SELECT COUNT(*) FROM payments JOIN purchases ON id = purchase_id',
  postings: 'SELECT COUNT(*) FROM ledger_postings WHERE reference IN (SELECT id FROM purchases)',
  events: "SELECT COUNT(*) FROM agent_events WHERE data ->> 'purchaseId' IN (SELECT id FROM purchases)",
  notifications:
    "SELECT COUNT(*) FROM seller_notifications WHERE data ->> 'purchaseId' IN (SELECT id FROM purchases)",
  receipts: "SELECT COUNT(DISTINCT receipt ->> 'digest') FROM purchases",
};

async function countWritten(market: Database): Promise<WrittenRows> {
  const columns = Object.entries(OF_SALES).map(([name, sql]) => `(${sql}) AS ${name}`);
  return (await market.first<WrittenRows>({ sql: `SELECT ${columns.join(', ')}`, params: [] })) ?? {};
}
