import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { VERTICALS } from '../catalogue/catalogue.data.ts';
import { PLATFORM_LISTINGS, type PlatformListing, platformListing } from './index.ts';

const NOW = '2026-11-15T12:00:00.000Z';

function errorsOf(schema: JsonObject, value: unknown): string[] {
  return new Validator(schema, '2020-12', false).validate(value).errors.map((error) => error.error);
}

function named(listings: readonly PlatformListing[]): [string, PlatformListing][] {
  return listings.map((listing) => [listing.slug, listing]);
}

describe('platform listings as a whole', () => {
  it('have exactly one reference listing for every vertical', () => {
    const filed = PLATFORM_LISTINGS.filter((listing) => listing.kind === 'reference').map(
      (listing) => listing.verticalSlug,
    );
    expect(filed.toSorted()).toEqual(VERTICALS.map((vertical) => vertical.slug).toSorted());
  });

  it('have at least nine curated listings, in verticals that exist, each with its source', () => {
    const curated = PLATFORM_LISTINGS.filter((listing) => listing.kind === 'curated');
    const slugs = new Set(VERTICALS.map((vertical) => vertical.slug));
    expect(curated.length).toBeGreaterThanOrEqual(9);
    for (const listing of curated) {
      expect(slugs.has(listing.verticalSlug)).toBe(true);
      expect(listing.sourceAttribution).toBeTruthy();
    }
  });

  it('have unique v4 ids and unique, well-formed slugs', () => {
    const ids = PLATFORM_LISTINGS.map((listing) => listing.id);
    const slugs = PLATFORM_LISTINGS.map((listing) => listing.slug);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('are found by id', () => {
    for (const listing of PLATFORM_LISTINGS) expect(platformListing(listing.id)).toBe(listing);
    expect(platformListing('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });
});

describe.each(named(PLATFORM_LISTINGS))('%s', (_slug, listing) => {
  it('keeps the limits of a listing', () => {
    expect(listing.title.length).toBeGreaterThanOrEqual(3);
    expect(listing.title.length).toBeLessThanOrEqual(200);
    expect(listing.description.length).toBeGreaterThanOrEqual(1);
    expect(listing.description.length).toBeLessThanOrEqual(10_000);
    expect(listing.title.startsWith('Reference: ')).toBe(listing.kind === 'reference');

    const text = JSON.stringify([listing.title, listing.description, listing.preview]);
    // Lone surrogates survive JSON.stringify only as \udxxx escapes.
    expect(text).not.toMatch(/\\ud[89a-f]/);
    expect(new TextEncoder().encode(JSON.stringify(listing.preview)).length).toBeLessThan(16 * 1024);
  });

  it('answers its example query as its schemas say', () => {
    const query = listing.exampleQuery;
    expect(query).not.toBeNull();
    expect(listing.inputSchema).not.toBeNull();
    if (query === null || listing.inputSchema === null) return;
    expect(errorsOf(listing.inputSchema, query)).toEqual([]);

    const answer = listing.answer(query, NOW);
    expect(answer).not.toBeNull();
    expect(errorsOf(listing.outputSchema, answer)).toEqual([]);
    // An example that finds nothing shows nothing.
    expect(answer?.total).not.toBe(0);
    expect(listing.answer(query, NOW)).toEqual(answer);
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  it('refuses a query that its schema does not know', () => {
    if (listing.inputSchema === null) return;
    const query = { ...listing.exampleQuery, noSuchParameter: 1 };
    expect(errorsOf(listing.inputSchema, query)).not.toEqual([]);
  });
});

describe('tables', () => {
  const tables = PLATFORM_LISTINGS.filter((listing) => listing.answer({}, NOW)?.rows !== undefined);

  it.each(named(tables))('%s: every row conforms to the output schema', (_slug, listing) => {
    const all = listing.answer({}, NOW);
    expect(errorsOf(listing.outputSchema, all)).toEqual([]);
    expect(all?.total).toBeGreaterThan(0);
  });

  it.each(named(tables))('%s: limit and offset page through all rows', (_slug, listing) => {
    const rows = (query: JsonObject) => {
      const found = listing.answer(query, NOW)?.rows;
      return Array.isArray(found) ? found : [];
    };
    const all = rows({});
    expect([...rows({ limit: 2 }), ...rows({ offset: 2 })]).toEqual(all);
    expect(rows({ offset: all.length })).toEqual([]);
  });
});
