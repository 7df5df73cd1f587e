import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import type { WireField } from '../openapi/fields.ts';
import { COMPONENTS, type JsonSchema, type SchemaComponents } from '../openapi/json-schema.ts';

const OF_FORMAT: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-01-01T00:00:00.000Z',
  date: '2026-01-01',
  email: 'agent@example.com',
  uri: 'https://example.com/',
};
const MAX_DEPTH = 8;

/** Uses only tools of every POSIX system: with a missing command, curl would silently send no header. */
const FRESH_KEY = "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')";

/** A command that sends the operation's required fields, to be pasted into a POSIX shell. */
export function curlExample(
  operation: AnyOperation,
  fields: readonly WireField[],
  components: SchemaComponents,
  baseUrl: string,
): string {
  const { method, path } = operation.http;
  const required = fields.filter((field) => field.required);
  const value = (field: WireField) => exampleOf(field.schema, components, field.wire);
  const query = required
    .filter((field) => field.in === 'query')
    .map((field) => `${field.wire}=${encodeURIComponent(textOf(value(field)))}`);
  const inBody = fields.filter((field) => field.in === 'body');
  const sent = inBody.filter((field) => field.required);
  // A PATCH without required fields would change nothing, so the example sends one.
  if (sent.length === 0 && method === 'patch') sent.push(...inBody.slice(0, 1));
  const body = sent.map((field) => [field.wire, value(field)]);

  // Path parameters become shell variables, since a made-up id would not exist.
  const url = baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variable(name)}`);
  const command = method === 'get' ? 'curl' : `curl -X ${method.toUpperCase()}`;
  const lines = [`${command} "${url}${query.length > 0 ? `?${query.join('&')}` : ''}"`];
  if (operation.auth === 'agent' || operation.auth === 'seller') {
    lines.push('-H "Authorization: Bearer $API_KEY"');
  }
  if (operation.auth === 'operator') lines.push(`-H "${BRAND.header.admin}: $ADMIN_SECRET"`);
  if (operation.replay !== undefined) lines.push(`-H "Idempotency-Key: ${FRESH_KEY}"`);
  if (body.length > 0) {
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d ${shellQuote(JSON.stringify(Object.fromEntries(body)))}`,
    );
  }
  return lines.join(' \\\n  ');
}

/** A value that fits the schema; the field called `name` may still mean something else. */
function exampleOf(schema: JsonSchema, components: SchemaComponents, name = '', depth = 0): Json {
  if (depth > MAX_DEPTH) return null;
  const next = (part: JsonSchema, member = name) => exampleOf(part, components, member, depth + 1);
  const declared = schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (declared !== undefined) return declared;
  if (schema.$ref !== undefined) return next(components[schema.$ref.slice(COMPONENTS.length)] ?? {});
  const [variant] = schema.anyOf ?? schema.oneOf ?? [];
  if (variant !== undefined) return next(variant);
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => next(part)));
  }
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'string':
      return exampleText(schema, name);
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return typeof schema.items === 'object' ? [next(schema.items)] : [];
    case 'null':
      return null;
    default:
      return exampleObject(schema, next);
  }
}

function exampleObject(schema: JsonSchema, next: (part: JsonSchema, name: string) => Json): Json {
  const required = Object.entries(schema.properties ?? {}).filter(([name]) =>
    schema.required?.includes(name),
  );
  return Object.fromEntries(required.map(([name, member]) => [name, next(member, name)]));
}

function exampleText(schema: JsonSchema, name: string): string {
  const { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const known = OF_FORMAT[format ?? (/url$/i.test(name) ? 'uri' : '')];
  return known ?? 'example'.padEnd(minLength, '.').slice(0, maxLength);
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `listingId` → `LISTING_ID`. */
function variable(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
