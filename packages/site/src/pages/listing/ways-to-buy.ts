import { BRAND } from '@agent-marketplace/core/kernel/brand.ts';

/** What a snippet needs to know of a listing. All but the id is the seller's. */
export interface Offer {
  readonly id: string;
  readonly priceCents: number;
  readonly exampleQuery: unknown;
}

/**
 * Calls that buy a listing, to be copied. The seller's example is in them, and what is copied is run: so it is
 * plain ASCII, and quoted for where it stands.
 */
export function waysToBuy(apiBaseUrl: string, { id, exampleQuery }: Offer) {
  const query = exampleQuery === null || exampleQuery === undefined ? undefined : exampleQuery;
  const body = asciiJson({ query });
  return {
    curl: `curl ${shellQuoted(`${apiBaseUrl}/marketplace/listings/${id}/purchase`)} \\
  -H 'authorization: Bearer ${BRAND.apiKeyPrefix}…' \\
  -H 'content-type: application/json' \\
  -d ${shellQuoted(body)}`,
    mcp: asciiJson({ name: 'buy_data', arguments: { listing_id: id, query } }, 2),
    sdk: `await me.purchaseListing(${asciiJson({ listingId: id, query }, 2)});`,
    x402: `# Answers 402 with what to pay; pay, and send it again
curl ${shellQuoted(`${apiBaseUrl}/x402/listings/${id}/query${queryString(query)}`)}`,
  };
}

/** JSON without a character that could show as something else than it is. */
export function asciiJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent) ?? 'null';
  return json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One word for a POSIX shell, whatever it holds. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Scalars of an object as a query string; what else it holds, a query string cannot say. */
function queryString(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const scalars = Object.entries(query).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  const text = new URLSearchParams(scalars.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
