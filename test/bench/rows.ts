import { liveSessions, signedAdmissions } from './door.ts';
import { listingIdOf, RELAYED, searches, wordSearches } from './fill.ts';
import { ledgerPages } from './fill-sales.ts';
import type { Load, Origins } from './load.ts';
import { PRICED, PURCHASED, PURCHASED_QUERY } from './purchased.ts';
import { replayed } from './replays.ts';
import { type BenchTabs, VOUCHERS_A_SECOND } from './tabs.ts';

export interface Setting {
  readonly large: Origins;
  readonly small: Origins;
  readonly apiKey: string;
  readonly sellerUrls: { readonly plain: string; readonly claimed: string; readonly small: string };
  /** Fills the buyer's wallet to its cap. */
  fillWallet(): Promise<void>;
  /** Of a payer of its own. */
  readonly tabs: BenchTabs;
  readonly keyTag: string;
  /** That sales have written so far, by table. */
  countWritten(): Promise<WrittenRows>;
}

export type WrittenRows = Readonly<Record<string, number>>;

export interface Comparison {
  readonly with: string;
  readonly load: Load;
  /** The row's requests a second divided by the other's must be at least this; absent: shown to explain. */
  readonly target?: number;
  /** What a bare probe of the unavoidable work reached when the targets were set. */
  readonly floor?: number;
  /** Where it must write as many rows for a request as the row: those written so far. */
  readonly countWritten?: () => Promise<WrittenRows>;
}

export interface Row {
  readonly id: string;
  readonly title: string;
  readonly load: Load;
  readonly comparisons: readonly Comparison[];
}

import {
  API_WORKER as API,
  INGRESS_WORKER as INGRESS,
  X402_WORKER as X402,
} from '@agent-marketplace/devkit/marketplace.ts';
export const PROBES = [
  'hello',
  'detail',
  'purchase',
  'wallet-purchase',
  'object',
  'search-fts',
  'search-like',
  'pass-through',
  'relay',
  'fresh-answer',
  'sign-only',
  'counted',
  'recorder',
  'replay',
] as const;

export const SMALL_LISTINGS = 1000;
export const LARGE_LISTINGS = 100_000;
/** The same path with a hundred times the rows may cost this many times as much. */
const GROWTH = 1.5;
/** D1 works on one query at a time: with more at once, some would not be answered while it is measured. */
const SLOW = { connections: 4, seconds: 2 };
const RELAY_SECONDS = 2;
/** More than one machine answers, so that no requestId comes again. */
const ADMISSIONS_A_SECOND = 10_000;
/** Large answers: with more at once, what is measured is how they queue. */
const RELAY_CONNECTIONS = 4;

export function rowsOf({
  large,
  small,
  apiKey,
  sellerUrls,
  fillWallet,
  tabs,
  keyTag,
  countWritten,
}: Setting): Row[] {
  const at = (origins: Origins, worker: string, ...paths: string[]): Load => ({
    origin: origins[worker] ?? '',
    paths,
  });
  const hello = at(large, 'hello', '/');
  const vsHello = (target: number, floor?: number): Comparison => ({
    with: 'H',
    load: hello,
    target,
    ...(floor === undefined ? {} : { floor }),
  });
  const searched = wordSearches();
  /** A search of several words against the bare query that one would write for it, had one known what it comes to. */
  const wordSearch = (id: string, title: string, texts: readonly string[], bare: readonly string[]): Row => ({
    id: `search-${id}`,
    title: `${title}, ${LARGE_LISTINGS} listings`,
    load: {
      ...at(large, API, ...texts.map((text) => `/api/marketplace/listings?q=${encodeURIComponent(text)}`)),
      ...SLOW,
    },
    comparisons: [{ with: 'bare FTS', load: { ...at(large, 'search-fts', ...bare), ...SLOW }, target: 0.8 }],
  });
  const bareQuery = (text: string, any = '') => `/?q=${encodeURIComponent(text)}${any}`;
  // The first one is free.
  const details = Array.from({ length: 500 }, (_, n) => `/api/marketplace/listings/${listingIdOf(n + 1)}`);
  const payable = Array.from(
    { length: 500 },
    (_, n) => `/api/x402/listings/${listingIdOf(n + 1)}/query?from=2026-01-01`,
  );
  const queries = searches().map((words) => `q=${encodeURIComponent(words)}`);
  const buying = {
    method: 'POST' as const,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  };
  const purchase = { ...buying, body: JSON.stringify({ query: PURCHASED_QUERY }) };
  const freePurchase = { ...at(large, API, `/api/marketplace/listings/${PURCHASED}/purchase`), ...purchase };
  const paid = {
    ...buying,
    bodies: async () => {
      await fillWallet();
      return [JSON.stringify({ payment_method: 'wallet' })];
    },
  };
  const bought = { ...at(large, API, `/api/marketplace/listings/${PRICED}/purchase`), ...paid };
  const json = { method: 'POST' as const, headers: { 'content-type': 'application/json' } };
  const entering = {
    ...json,
    bodies: async (seconds: number) => signedAdmissions(ADMISSIONS_A_SECOND * seconds),
    once: true,
  };
  const beating = { ...json, bodies: () => liveSessions(large[INGRESS] ?? '') };
  const relay = (title: string, kind: 'plain' | 'claimed', target: number): Row => ({
    id: `relay-${kind}`,
    title,
    load: {
      ...at(large, API, `/api/marketplace/listings/${RELAYED[kind]}/purchase`),
      ...buying,
      body: '{}',
      connections: RELAY_CONNECTIONS,
      seconds: RELAY_SECONDS,
    },
    comparisons: [
      {
        with: 'pass-through',
        load: {
          ...at(large, 'pass-through', `/${encodeURIComponent(sellerUrls[kind])}`),
          ...buying,
          body: '{}',
          connections: RELAY_CONNECTIONS,
          seconds: RELAY_SECONDS,
        },
        target,
      },
      {
        with: 'read + hash + look through + hand on + splice + hash + sign',
        load: {
          ...at(large, 'relay', `/${kind}/${encodeURIComponent(sellerUrls[kind])}`),
          ...buying,
          body: '{}',
          connections: RELAY_CONNECTIONS,
          seconds: RELAY_SECONDS,
        },
      },
    ],
  });
  const vsReplay = (id: string, load: Load): Comparison => ({
    with: 'its own statements, replayed',
    load: replayed(large, `/${id}`, load),
    target: 0.85,
    countWritten,
  });
  const growth = (id: string, title: string, ...paths: string[]): Row => ({
    id: `growth-${id}`,
    title: `${title}: ${LARGE_LISTINGS} listings against ${SMALL_LISTINGS}`,
    load: at(large, API, ...paths),
    comparisons: [{ with: `${SMALL_LISTINGS} listings`, load: at(small, API, ...paths), target: 1 / GROWTH }],
  });

  return [
    {
      id: 'cached',
      title: 'cached public GET (/signing-key)',
      load: at(large, API, '/api/signing-key'),
      comparisons: [vsHello(0.8, 0.95)],
    },
    {
      id: 'not-modified',
      title: '304 answer (/signing-key)',
      load: { ...at(large, API, '/api/signing-key'), headers: { 'if-none-match': keyTag } },
      comparisons: [vsHello(0.9, 1.1)],
    },
    {
      id: 'fresh',
      title: 'freshly signed 2 KB JSON (made on the spot)',
      load: at(large, 'fresh-answer', '/api/agents'),
      comparisons: [vsHello(0.45, 0.53), { with: 'bare signature', load: at(large, 'sign-only', '/') }],
    },
    {
      id: 'counted',
      title: 'a request counted in its location, and nothing else',
      load: at(large, 'counted', '/'),
      comparisons: [{ with: 'H', load: hello }],
    },
    {
      id: 'purchase',
      title: 'free purchase, platform-served',
      load: freePurchase,
      comparisons: [
        {
          with: 'read + batch + signatures',
          load: { ...at(large, 'purchase', '/'), ...purchase },
          target: 0.85,
        },
        vsReplay('purchase', freePurchase),
        vsHello(0.04),
      ],
    },
    {
      id: 'wallet',
      title: 'wallet purchase, delivered by a local seller',
      load: bought,
      comparisons: [
        {
          with: 'read + 2 batches + the same delivery + signatures',
          load: { ...at(large, 'wallet-purchase', `/${encodeURIComponent(sellerUrls.small)}`), ...paid },
          target: 0.85,
        },
        vsReplay('wallet', bought),
        { with: 'read + batch + signatures', load: { ...at(large, 'purchase', '/'), ...purchase } },
      ],
    },
    {
      id: 'tab-query',
      title: "a tab's query, delivered by the same seller",
      load: {
        ...at(large, X402),
        ...json,
        requests: (seconds) => tabs.signedQueries(VOUCHERS_A_SECOND * seconds),
        once: true,
      },
      comparisons: [{ with: 'wallet purchase', load: bought, target: 0.85 }],
    },
    {
      id: 'payment-required',
      title: '402 with the terms of each protocol',
      load: { ...at(large, X402, ...payable), status: 402 },
      comparisons: [
        { with: 'D1 read by key + signature', load: at(large, 'detail', ...details) },
        { with: 'H', load: hello },
      ],
    },
    {
      id: 'heartbeat',
      title: 'heartbeat',
      load: { ...at(large, INGRESS, '/api/ingress/heartbeat'), ...beating },
      comparisons: [
        vsHello(0.28, 0.33),
        { with: 'object call + signature', load: { ...at(large, 'object', '/read'), ...beating } },
        { with: 'object call + row + signature', load: { ...at(large, 'object', '/write'), ...beating } },
      ],
    },
    {
      id: 'admit',
      title: 'admission, each with a requestId of its own',
      load: { ...at(large, INGRESS, '/api/ingress/admit'), ...entering },
      comparisons: [
        vsHello(0.08, 0.095),
        {
          with: 'check + 2 object calls + 2 rows + 2 signatures',
          load: { ...at(large, 'object', '/admit'), ...entering },
        },
      ],
    },
    {
      id: 'detail',
      title: 'uncached listing detail',
      load: at(large, API, ...details),
      comparisons: [
        { with: 'D1 read by key + signature', load: at(large, 'detail', ...details), target: 0.85 },
        vsReplay('detail', at(large, API, ...details)),
        vsHello(0.12),
      ],
    },
    {
      id: 'search',
      title: `search, ${LARGE_LISTINGS} listings`,
      load: { ...at(large, API, ...queries.map((query) => `/api/marketplace/listings?${query}`)), ...SLOW },
      comparisons: [
        {
          with: 'bare FTS',
          load: { ...at(large, 'search-fts', ...queries.map((query) => `/?${query}`)), ...SLOW },
          target: 0.8,
        },
        {
          with: 'LIKE',
          load: { ...at(large, 'search-like', ...queries.map((query) => `/?${query}`)), ...SLOW },
          target: 3,
        },
      ],
    },
    wordSearch(
      'every-word',
      'search, several frequent words',
      searched.all,
      searched.all.map((text) => bareQuery(text)),
    ),
    wordSearch(
      'any-word',
      'search, no listing with every word',
      searched.any,
      searched.any.map((text) => bareQuery(text, '&any=1')),
    ),
    wordSearch(
      'misspelt',
      'search, a misspelt word',
      searched.misspelt.map(([text]) => text),
      searched.misspelt.map(([, text]) => bareQuery(text)),
    ),
    relay('10 MB relay', 'plain', 0.35),
    relay('10 MB relay with __sha256', 'claimed', 0.25),
    growth('detail', 'listing detail', ...details),
    growth('browse', 'browsing by date', '/api/marketplace/listings'),
    growth(
      'total',
      'a total alone',
      '/api/marketplace/listings?limit=1&price=free',
      '/api/marketplace/listings?limit=1&category=data',
    ),
    growth('demand-ledger', 'a page of the demand ledger, as many sales', ...ledgerPages(5000)),
  ];
}
