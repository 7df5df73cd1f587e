import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** What is bought, for how much at most. All but the id is the seller's or the reader's. */
export interface Order {
  readonly listingId: string;
  readonly priceCents: number;
  /** Null: no query is sent. */
  readonly query: JsonObject | null;
}

export interface CodeSample {
  readonly id: 'curl' | 'typescript' | 'python' | 'mcp';
  readonly label: string;
  readonly text: string;
}

/**
 * Calls that buy a listing, to copy. They hold texts of the seller and of the reader, and readers run what they copy: so
 * they are plain ASCII, and quoted for their language. The price that the page shows is the most that they pay.
 */
export function codeSamples(apiBaseUrl: string, order: Order): readonly CodeSample[] {
  return [
    { id: 'curl', label: 'curl', text: curlSample(apiBaseUrl, order) },
    { id: 'typescript', label: 'TypeScript', text: typescriptSample(apiBaseUrl, order) },
    { id: 'python', label: 'Python', text: pythonSample(apiBaseUrl, order) },
    { id: 'mcp', label: 'MCP', text: mcpSample(order) },
  ];
}

/** With the names of the API; a query only where one is sent. */
const bodyOf = ({ priceCents, query }: Order): JsonObject => ({
  max_price_cents: priceCents,
  ...(query === null ? {} : { query }),
});

const addressOf = (apiBaseUrl: string, { listingId }: Order) =>
  `${apiBaseUrl}/marketplace/listings/${listingId}/purchase`;

function curlSample(apiBaseUrl: string, order: Order): string {
  return `curl ${shellQuoted(addressOf(apiBaseUrl, order))} \\
  -H "authorization: Bearer $${KEY_VARIABLE}" \\
  -H "idempotency-key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')" \\
  -H 'content-type: application/json' \\
  -d ${shellQuoted(asciiJson(bodyOf(order)))}`;
}

function typescriptSample(apiBaseUrl: string, { listingId, priceCents, query }: Order): string {
  const input = { listingId, maxPriceCents: priceCents, ...(query === null ? {} : { query }) };
  return `import { createMarketplaceClient } from '@agent-marketplace/sdk';

const client = createMarketplaceClient({
  baseUrl: ${asciiJson(apiBaseUrl)},
  apiKey: process.env.${KEY_VARIABLE} ?? '',
});
const purchase = await client.purchaseListing(${typescriptValue(input)});
console.log(purchase.content);`;
}

function pythonSample(apiBaseUrl: string, order: Order): string {
  return `import json, os, urllib.request, uuid

order = ${pythonValue(bodyOf(order))}
request = urllib.request.Request(
    ${asciiJson(addressOf(apiBaseUrl, order))},
    data=json.dumps(order).encode(),
    headers={
        "authorization": "Bearer " + os.environ["${KEY_VARIABLE}"],
        "content-type": "application/json",
        "idempotency-key": str(uuid.uuid4()),
    },
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["content"])`;
}

function mcpSample({ listingId, priceCents, query }: Order): string {
  const args = { listing_id: listingId, max_price_cents: priceCents, ...(query === null ? {} : { query }) };
  return asciiJson({ name: 'buy_data', arguments: args }, 2);
}

/** In which variable the samples expect the key. */
export const KEY_VARIABLE = 'MARKETPLACE_KEY';

/** JSON in plain ASCII: no character can pass for another one. */
function asciiJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent) ?? 'null';
  return json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The text as one quoted word of a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In an object literal, the name `__proto__` would set the prototype in place of a member. */
function typescriptValue(value: Json): string {
  const json = asciiJson(value, 2);
  return json.includes('"__proto__"') ? `JSON.parse(${asciiJson(JSON.stringify(value))})` : json;
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { null: 'None', true: 'True', false: 'False' };

function pythonValue(value: Json, indent = ''): string {
  if (typeof value === 'string') return pythonText(value);
  const deeper = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((item) => pythonValue(item, deeper))
    : isJsonObject(value)
      ? Object.entries(value).map(([name, item]) => `${pythonText(name)}: ${pythonValue(item, deeper)}`)
      : null;
  if (lines === null) return PYTHON_WORDS[String(value)] ?? String(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.map((line) => `${deeper}${line},\n`).join('')}${indent}${close}`;
}

/** Python's escapes are those of JSON, but for characters beyond 16 bits, which it writes as one. */
function pythonText(text: string): string {
  const pairs = /\\ud([89ab][0-9a-f]{2})\\ud([c-f][0-9a-f]{2})/g;
  return asciiJson(text).replaceAll(/\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/g, (found) =>
    found === '\\\\'
      ? found
      : found.replaceAll(pairs, (_, high: string, low: string) => {
          const point =
            0x10000 +
            ((Number.parseInt(`d${high}`, 16) - 0xd800) << 10) +
            (Number.parseInt(`d${low}`, 16) - 0xdc00);
          return `\\U${point.toString(16).padStart(8, '0')}`;
        }),
  );
}
