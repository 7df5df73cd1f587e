import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { type Media, type OpenApi, type Operation, type Parameter, resolve } from './openapi.ts';

/** Uses only tools of every POSIX system: with a missing command, curl would silently send no header. */
const FRESH_KEY = "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')";

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
}

/** A command that sends what is required, to be pasted into a POSIX shell where BASE is the API root. */
export function curlSample(document: OpenApi, { method, path, operation, parameters }: Call): string {
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${encodeURIComponent(textOf(one.example))}`);
  // Path parameters become shell variables, since a made-up id would not exist.
  const url = `$BASE${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variable(name)}`)}`;
  const command = method === 'get' ? 'curl' : `curl -X ${method.toUpperCase()}`;
  return [
    `${command} "${url}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    ...accessHeader(operation, method),
    ...(parameters.some((one) => one.name === 'Idempotency-Key' && memberOf(one) === undefined)
      ? [`-H "Idempotency-Key: ${FRESH_KEY}"`]
      : []),
    ...bodyOf(document, operation),
  ].join(' \\\n  ');
}

/** Where a key is optional, reading goes without one, and what is bought with one can be paid from a wallet. */
function accessHeader({ security = [] }: Operation, method: string): string[] {
  if (security.some((one) => 'operator' in one)) return [`-H "${BRAND.header.admin}: $ADMIN_SECRET"`];
  const isOptional = security.some((one) => Object.keys(one).length === 0);
  const sendsKey = security.length > 0 && !(isOptional && method === 'get');
  return sendsKey ? ['-H "Authorization: Bearer $KEY"'] : [];
}

/** The member of the body that a header may carry instead: the sample sends the member. */
function memberOf({ in: place, description }: Parameter): string | undefined {
  return place === 'header' ? /^May carry `(\w+)` instead\./.exec(description ?? '')?.[1] : undefined;
}

function bodyOf(document: OpenApi, { requestBody }: Operation): string[] {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return [];
  if (!type.includes('json')) return [`-H 'Content-Type: ${type}'`, '--data-binary @file'];
  const body = exampleOf(document, media) ?? {};
  if (Object.keys(body).length === 0 && !requestBody?.required) return [];
  return [`-H 'Content-Type: ${type}'`, `-d ${shellQuote(JSON.stringify(body))}`];
}

/** The example that the document gives, as it does of every JSON. */
export function exampleOf(document: OpenApi, { example, examples }: Media): unknown {
  const [first] = Object.values(examples ?? {});
  return example ?? (first && resolve<{ readonly value?: unknown }>(document, first).value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `listingId` → `LISTING_ID`. */
function variable(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
