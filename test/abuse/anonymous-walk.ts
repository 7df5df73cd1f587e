import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { sweepSearchOutbox } from '@agent-marketplace/core/listings/index.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { HEALTH_LISTING } from '@agent-marketplace/core/testing/fixtures/health-data.ts';
import { inputFields } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { goodRequest } from '../contract/try-operation.ts';
import type { World } from '../contract/world.ts';

// Every operation that asks for no key, the dearest request of each, and a market that grows.

export const anonymous = [...apiOperations, ...x402Operations].filter(
  ({ auth }) => auth === 'none' || auth === 'optional',
);

/** What makes an operation's request dear, where limit and offset alone do not. */
export const LONG = 'x'.repeat(9_900);
const DEAREST: Readonly<Record<string, Record<string, unknown>>> = {
  claimEndpoint: { callbackUrl: 'https://seller.example.com/claimed' },
  browseListings: { q: 'tide', minRating: 1, sort: 'quality', samples: 'include' },
  purchaseListing: { query: { text: 'x'.repeat(60_000) }, email: 'stranger@example.com' },
  registerAgent: { name: 'N', email: 'stranger@example.com', callbackUrl: 'http://localhost:9/events' },
  submitInquiry: { message: LONG, email: 'stranger@example.com' },
  followUpInquiry: { message: LONG },
  submitIdea: { description: LONG, impact: 'y'.repeat(1_900) },
};

/** Their requests expire, or are good for one answer. */
export const GOOD_ONCE: ReadonlySet<string> = new Set(['provePayer']);

/** The longest page, as far behind as it may begin, and whatever else is dear. */
export async function dearest(world: World, operation: AnyOperation) {
  const good = await goodRequest(world, operation);
  const { fields } = inputFields(operation);
  const page = Object.fromEntries(
    [...fields].flatMap(([name, { maximum }]) =>
      (name === 'limit' || name === 'offset') && maximum !== undefined ? [[name, maximum]] : [],
    ),
  );
  const input = { ...good.input, ...page, ...DEAREST[operation.name] };
  const { apiKey: _, ...keyless } = good;
  // Who may read a purchase or a consent shows a key or a link: without one, the refusal is what a stranger can cause.
  return { ...keyless, input };
}

/** Rows like one that is there, under new ids. */
async function multiply(
  table: string,
  { from, to }: { readonly from: number; readonly to: number },
  changed: Readonly<Record<string, string>>,
  where: string,
) {
  const { results } = await testBindings.DB.prepare('SELECT name FROM pragma_table_info(?)')
    .bind(table)
    .all<{ name: string }>();
  const names = results.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `one.${name}`);
  await testBindings.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT ${from + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
      INSERT INTO ${table} (${names.join()}) SELECT ${values.join()}
      FROM n, (SELECT * FROM ${table} WHERE ${where} LIMIT 1) AS one`,
  ).run();
}

const idOf = (kind: number, index: string) => `printf('00000000-0000-4000-8%03d-%012d', ${kind}, ${index})`;
/** Ten listings have one seller, and sellers and buyers take turns among the agents. */
const sellerOf = (listing: string) => idOf(1, `2 * ((${listing} + 9) / 10) - 1`);

/** From so many listings to so many: for ten, one of health data besides, two agents, one of whom sells, and 25 purchases. */
export async function grow(world: World, from: number, to: number): Promise<void> {
  const { seller, buyer } = world;
  const per = (count: number) => ({ from: from * count, to: to * count });
  await multiply(
    'agents',
    per(0.2),
    { id: idOf(1, 'i'), api_key_hash: `printf('%064d', i)`, handle: `printf('agent-%08d', i)` },
    `id = '${buyer.id}'`,
  );
  await multiply('sellers', per(0.1), { agent_id: idOf(1, '2 * i - 1') }, `agent_id = '${seller.id}'`);
  const { listingId, purchaseId } = await world.newSale();
  const offered = { id: idOf(2, 'i'), seller_id: sellerOf('i'), price_cents: 'i % 2 * one.price_cents' };
  await multiply('listings', per(1), offered, `id = '${listingId}'`);
  const { listing: health } = await world.perform('listHealthData', HEALTH_LISTING, seller);
  const healthId = (health as { id: string }).id;
  await multiply('listings', per(0.1), { id: idOf(4, 'i') }, `id = '${healthId}'`);
  await multiply('health_consents', per(0.1), { listing_id: idOf(4, 'i') }, `listing_id = '${healthId}'`);
  const listing = '((i - 1) * 2 / 5 + 1)';
  const bought = { listing_id: idOf(2, listing), seller_id: sellerOf(listing) };
  await multiply(
    'purchases',
    per(2.5),
    { id: idOf(3, 'i'), ...bought, buyer_id: idOf(1, `2 * (1 + i % ${to / 10})`) },
    `id = '${purchaseId}'`,
  );
  for (let last = -1, now = -2; last !== now; ) {
    last = now;
    await sweepSearchOutbox(world.market.newPorts());
    now = Number(await testBindings.SEARCH.prepare('SELECT COUNT(*) AS n FROM documents').first('n'));
  }
}

/** Of an operation, in the table of docs/security.md; null: it has no line there. */
export function documentedRowsRead(security: string, { method, path }: AnyOperation['http']): string | null {
  const line = security.split('\n').find((one) => one.startsWith(`| ${method.toUpperCase()} ${path} |`));
  return line?.split('|')[6]?.trim() ?? null;
}
