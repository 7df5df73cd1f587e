import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import {
  Berth,
  createMarketplaceClient,
  type KeySet,
  keySetOf,
  type MarketplaceClient,
  verifyAdmission,
  verifyPurchaseReceipt,
  verifyResponse,
} from '@agent-marketplace/sdk';
import { pollDeliveries } from '@agent-marketplace/sdk/seller';
import { RefusalToStart } from '../refusal-to-start.ts';
import { type MeasuredKind, measure } from './measure.ts';

export interface SmokeOptions {
  /** The API root. */
  readonly baseUrl: string;
  readonly adminSecret: string;
  /** Of the load; what is tried before and after takes some 40 more. */
  readonly requests: number;
  readonly concurrency: number;
  readonly say: (line: string) => void;
  readonly fetch?: typeof globalThis.fetch;
}

export interface SmokeReport {
  /** What did not hold, in words; empty: all is well. */
  readonly problems: readonly string[];
  readonly kinds: readonly MeasuredKind[];
  readonly requestsSent: number;
}

/** An address without a key may read 600 times a minute, and a smoke test is no load that anybody else should notice. */
export const MAX_REQUESTS = 500;
const MAX_CONCURRENCY = 16;
/** The checks around the load, polling included, stay far below: what is in a loop ends here. */
const MAX_BESIDE = 400;

/**
 * Tries a deployment that is in use: smoke-test agents list, buy and are removed again, so nothing of it is counted
 * anywhere. Everything that is answered has to be signed.
 */
export async function smoke(options: SmokeOptions): Promise<SmokeReport> {
  const { baseUrl, requests, concurrency, say } = options;
  if (requests > MAX_REQUESTS || concurrency > MAX_CONCURRENCY)
    throw new RefusalToStart(`At most ${MAX_REQUESTS} requests, ${MAX_CONCURRENCY} at once.`);
  let requestsSent = 0;
  const send = options.fetch ?? globalThis.fetch;
  const fetch: typeof globalThis.fetch = async (...params) => {
    requestsSent += 1;
    if (requestsSent > requests + MAX_BESIDE) throw new Error('The smoke test has sent all that it may.');
    return send(...params);
  };
  const problems: string[] = [];
  const check = (holds: boolean, what: string): void => {
    say(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
    if (!holds) problems.push(what);
  };
  const answer = await fetch(`${baseUrl}/signing-key`).catch((error: Error) => {
    const { cause } = error;
    throw new RefusalToStart(
      `Nothing answers at ${baseUrl}: ${cause instanceof Error ? cause.message : error.message}`,
    );
  });
  const keys = keySetOf(await answer.json());
  const client = createMarketplaceClient({ baseUrl, fetch, retries: 1 });
  const visit: Visit = { ...options, fetch, client, keys, check };
  const agents: string[] = [];
  let kinds: readonly MeasuredKind[] = [];
  try {
    await attempt(visit, 'a free purchase', () => buy(visit, agents));
    await attempt(visit, 'the ingress door', () => enter(visit));
    await attempt(visit, 'search', () => search(visit));
    await attempt(visit, 'errors', () => provoke(visit));
    kinds = await measure({ baseUrl, fetch, keys, requests, concurrency });
    for (const { kind, failures } of kinds) {
      const [first] = failures;
      check(
        failures.length === 0,
        `load: ${kind}${first === undefined ? '' : `: ${failures.length} wrong, as ${first}`}`,
      );
    }
  } finally {
    for (const id of agents) await attempt(visit, 'removing what was made', () => remove(visit, id));
  }
  return { problems, kinds, requestsSent };
}

interface Visit extends Required<Pick<SmokeOptions, 'baseUrl' | 'adminSecret' | 'fetch'>> {
  readonly client: MarketplaceClient;
  readonly keys: KeySet;
  check(holds: boolean, what: string): void;
}

/** One part that breaks leaves the others to be tried, and what was made to be removed. */
async function attempt({ check }: Visit, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    check(false, `${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function register({ client, adminSecret }: Visit, name: string, agents: string[]) {
  const headers = { [BRAND.header.admin]: adminSecret };
  const agent = await client.registerAgent({ name, smokeTest: true }, { headers });
  agents.push(agent.id);
  return client.withApiKey(agent.apiKey);
}

async function buy(visit: Visit, agents: string[]): Promise<void> {
  const { check, keys } = visit;
  const [seller, buyer] = [
    await register(visit, 'Smoke seller', agents),
    await register(visit, 'Smoke buyer', agents),
  ];
  check(true, 'two smoke-test agents are registered');
  const polling = new AbortController();
  const polls = pollDeliveries({
    client: seller,
    deliver: ({ query }) => ({ echo: query }),
    signal: polling.signal,
    intervalMs: 250,
    onError: () => {},
  });
  try {
    await seller.registerSeller({ name: 'Smoke seller' });
    const { listing } = await seller.createListing({
      title: 'A smoke test',
      description: 'Answers with what it was asked.',
      preview: {},
      priceCents: 0,
      consent: true,
    });
    await seller.setDeliveryEndpoint({ callbackUrl: 'https://example.com/', callbackType: 'polling' });
    const { listing: listed } = await seller.getListing({ listingId: listing.id });
    check(listed.status === 'active', 'a listing is active once its seller has answered the challenge');
    const query = { nonce: crypto.randomUUID() };
    const purchase = await buyer.purchaseListing({ listingId: listing.id, query });
    const { echo } = purchase.content as { echo?: { nonce?: string } };
    check(echo?.nonce === query.nonce, 'a free purchase is answered by its seller, live');
    const verified = await verifyPurchaseReceipt(purchase, keys);
    check(verified.valid && verified.content === 'matches', 'its receipt verifies offline, with its content');
  } finally {
    polling.abort();
    await polls;
  }
}

async function enter({ baseUrl, fetch, check }: Visit): Promise<void> {
  const read = async (path: string) => (await fetch(baseUrl + path)).json();
  const berth = await Berth.create({ baseUrl, fetch });
  const { receipt } = await berth.admit({ intentClass: 'COMMERCE', side: 'buy' });
  const verified = await verifyAdmission(
    receipt,
    keySetOf(await read('/ingress/keys')),
    await read('/ingress/schedule'),
  );
  check(verified.valid, 'the door admits, and its receipt verifies offline');
  check(await berth.heartbeat(), 'the session lives on by a heartbeat');
}

async function search({ client, check }: Visit): Promise<void> {
  const { listings, total } = await client.browseListings({ q: 'data', samples: 'include', limit: 5 });
  check(listings.length > 0 && total >= listings.length, `a search finds listings: ${total}`);
}

async function provoke({ baseUrl, fetch, keys, check }: Visit): Promise<void> {
  const cases = [
    {
      what: 'an unknown listing',
      path: `/marketplace/listings/${crypto.randomUUID()}`,
      status: 404,
      headers: {},
    },
    { what: 'a wrong key', path: '/agents/me', status: 401, headers: { authorization: 'Bearer wrong' } },
    { what: 'an unknown path', path: '/no-such-path', status: 404, headers: {} },
  ];
  for (const { what, path, status, headers } of cases) {
    const response = await fetch(baseUrl + path, { headers });
    const { valid } = await verifyResponse(await response.text(), keys);
    check(response.status === status && valid, `${what} is refused with ${status}, signed`);
  }
}

async function remove({ baseUrl, fetch, adminSecret, check }: Visit, id: string): Promise<void> {
  const headers = { [BRAND.header.admin]: adminSecret };
  const { status } = await fetch(`${baseUrl}/admin/smoke-tests/${id}`, { method: 'DELETE', headers });
  check(status < 300, `the smoke-test agent ${id} is removed`);
}
