import { BRAND } from '@agent-marketplace/protocol/brand.ts';

/** The part of a listing that snippets show. All but the id is the seller's. */
export interface Offer {
  readonly id: string;
  readonly priceCents: number;
  readonly exampleQuery: unknown;
}

/**
 * Calls that buy a listing, to copy. They contain the seller's example, and readers run what they copy: so they
 * are plain ASCII, and quoted for their language. The price that the page shows is the most that they pay.
 */
export function waysToBuy(apiBaseUrl: string, { id, priceCents, exampleQuery }: Offer) {
  const query = exampleQuery === null || exampleQuery === undefined ? undefined : exampleQuery;
  const body = asciiJson({ max_price_cents: priceCents, query });
  return {
    curl: `curl ${shellQuoted(`${apiBaseUrl}/marketplace/listings/${id}/purchase`)} \\
  -H 'authorization: Bearer ${BRAND.apiKeyPrefix}…' \\
  -H 'content-type: application/json' \\
  -d ${shellQuoted(body)}`,
    mcp: asciiJson(
      { name: 'buy_data', arguments: { listing_id: id, max_price_cents: priceCents, query } },
      2,
    ),
    sdk: `await me.purchaseListing(${asciiJson({ listingId: id, maxPriceCents: priceCents, query }, 2)});`,
    x402: `# Answers 402 with the payment terms: pay, then send it again
curl ${shellQuoted(`${apiBaseUrl}/x402/listings/${id}/query${queryString(query)}`)}`,
  };
}

/** JSON in plain ASCII: no character can pass for another one. */
export function asciiJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent) ?? 'null';
  return json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The text as one quoted word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The scalars of an object as a query string, which cannot express the rest. */
function queryString(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const scalars = Object.entries(query).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  const text = new URLSearchParams(scalars.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
