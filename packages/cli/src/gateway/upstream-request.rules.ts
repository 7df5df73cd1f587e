import { toBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Credential, HttpUpstream, UpstreamParameter } from './gateway-config.ts';

/** A request to the upstream. */
export interface UpstreamRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Why a query cannot be sent: the buyer's doing, whatever the upstream would say. */
export interface UnusableQuery {
  readonly member: string;
  readonly message: string;
}

export type BuiltRequest =
  | { readonly kind: 'request'; readonly request: UpstreamRequest }
  | { readonly kind: 'unusable'; readonly fault: UnusableQuery };

/** The secrets by the name of their environment variable. */
export type Secrets = Readonly<Record<string, string | undefined>>;

const USER_AGENT = 'agent-market-gateway';

class Unusable extends Error {
  readonly fault: UnusableQuery;
  constructor(member: string, message: string) {
    super(message);
    this.fault = { member, message };
  }
}

/**
 * The request that a query stands for. Host and path are the upstream's: no value of the query reaches another origin,
 * leaves its own segment of the path, adds a parameter or a header, or replaces a credential.
 */
export function buildUpstreamRequest(
  upstream: HttpUpstream,
  query: JsonObject,
  secrets: Secrets,
): BuiltRequest {
  try {
    return { kind: 'request', request: build(upstream, query, secrets) };
  } catch (error) {
    if (error instanceof Unusable) return { kind: 'unusable', fault: error.fault };
    throw error;
  }
}

function build(upstream: HttpUpstream, query: JsonObject, secrets: Secrets): UpstreamRequest {
  const { parameters, fixed, credentials, method, body } = upstream;
  const present = parameters.filter(({ member }) => Object.hasOwn(query, member) && query[member] !== null);
  const url = new URL(expandPath(upstream.url, parameters, query));
  const pairs = present
    .filter((one) => one.in === 'query')
    .flatMap((one) => queryPairs(one, query[one.member] as Json));
  for (const [name, value] of pairs) url.searchParams.append(name, value);
  const headers: Record<string, string> = {
    accept: upstream.answer === 'text' ? 'text/plain, */*;q=0.5' : 'application/json',
    // Some refuse requests without one, and not every runtime sends one.
    'user-agent': USER_AGENT,
  };
  for (const one of present.filter(({ in: place }) => place === 'header'))
    headers[one.name.toLowerCase()] = headerValue(one, query[one.member] as Json);
  const sent = body === null ? null : encodeBody(body, query);
  if (sent !== null) headers['content-type'] = sent.type;
  for (const part of [
    ...fixed,
    ...credentials.map((one) => ({ ...one, value: credentialValue(one, secrets) })),
  ])
    if (part.in === 'query') url.searchParams.set(part.name, part.value);
    else headers[part.name.toLowerCase()] = part.value;
  return { url: url.href, method: method.toUpperCase(), headers, body: sent?.text ?? null };
}

const PLACE = /\{([^{}]*)\}/g;

function expandPath(template: string, parameters: readonly UpstreamParameter[], query: JsonObject): string {
  return template.replaceAll(PLACE, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    const member = parameter?.member ?? name;
    const value = Object.hasOwn(query, member) ? query[member] : undefined;
    if (value === undefined || value === null) throw new Unusable(member, 'It is missing.');
    const text = (Array.isArray(value) ? value : [value]).map((one: Json) => scalar(member, one)).join(',');
    if (text === '') throw new Unusable(member, 'It is empty.');
    // Dots are never encoded, and `..` would lead to another path; some servers decode a slash before they look.
    if (text.split(/[/\\]/).some((part) => part === '.' || part === '..'))
      throw new Unusable(member, 'It may not hold `.` or `..` as a part of a path.');
    return encodeURIComponent(wellFormed(member, text));
  });
}

function queryPairs({ member, name, style, explode }: UpstreamParameter, value: Json): [string, string][] {
  if (style === 'json') return [[name, wellFormed(member, JSON.stringify(value))]];
  if (Array.isArray(value)) {
    const texts = value.map((one: Json) => wellFormed(member, scalar(member, one)));
    if (explode || style === 'deepObject')
      return texts.map((text) => [style === 'deepObject' ? `${name}[]` : name, text]);
    const separator = { spaceDelimited: ' ', pipeDelimited: '|' }[style as string] ?? ',';
    return texts.length === 0 ? [] : [[name, texts.join(separator)]];
  }
  if (!isJsonObject(value)) return [[name, wellFormed(member, scalar(member, value))]];
  // An exploded object would let a buyer choose the names of parameters.
  if (style === 'deepObject')
    return Object.entries(value).flatMap(([key, one]) =>
      queryPairs({ member, name: `${name}[${key}]`, in: 'query', style, explode }, one),
    );
  const flat = Object.entries(value).flatMap(([key, one]) => [key, scalar(member, one)]);
  return [[name, wellFormed(member, flat.join(','))]];
}

function headerValue({ member, style }: UpstreamParameter, value: Json): string {
  const parts = Array.isArray(value) ? value : [value];
  const text =
    style === 'json' ? JSON.stringify(value) : parts.map((one: Json) => scalar(member, one)).join(',');
  // Line breaks would add headers, and other characters have no one encoding there.
  if (!/^[\x20-\x7e]*$/.test(text)) throw new Unusable(member, 'It may hold printable ASCII only.');
  return text.trim();
}

function scalar(member: string, value: Json): string {
  if (typeof value === 'object' && value !== null) throw new Unusable(member, 'It is nested too deep.');
  return String(value);
}

/** A lone surrogate has no UTF-8. */
function wellFormed(member: string, text: string): string {
  if (!text.isWellFormed()) throw new Unusable(member, 'It is not valid Unicode.');
  return text;
}

function encodeBody(
  { encoding, members, member }: NonNullable<HttpUpstream['body']>,
  query: JsonObject,
): { type: string; text: string } | null {
  const names = (members ?? []).filter((name) => Object.hasOwn(query, name));
  const value =
    member === null ? Object.fromEntries(names.map((name) => [name, query[name] as Json])) : query[member];
  if (value === undefined) return null;
  if (encoding === 'json') return { type: 'application/json', text: JSON.stringify(value) };
  const form = new URLSearchParams();
  for (const [name, one] of Object.entries(isJsonObject(value) ? value : {}))
    for (const [key, text] of formPairs(name, one)) form.append(key, text);
  return { type: 'application/x-www-form-urlencoded', text: form.toString() };
}

function formPairs(name: string, value: Json): [string, string][] {
  if (value === null) return [];
  const isNested = typeof value === 'object';
  return queryPairs(
    { member: name, name, in: 'query', style: isNested ? 'deepObject' : 'form', explode: true },
    value,
  );
}

/** The headers that carry the credentials of an upstream. */
export function credentialHeaders(
  credentials: readonly Credential[],
  secrets: Secrets,
): Record<string, string> {
  const inHeaders = credentials.filter(({ in: place }) => place === 'header');
  return Object.fromEntries(inHeaders.map((one) => [one.name.toLowerCase(), credentialValue(one, secrets)]));
}

/** A shorter one is found in answers by chance, so that nothing could keep it from being sold. */
export const SHORTEST_SECRET = 8;

/** What of a secret others must not see: the whole; of `basic`, the password, the login and both as they are sent. */
export function secretParts({ env, encoding }: Credential, secrets: Secrets): readonly string[] {
  const secret = secrets[env] ?? '';
  const [, login = secret, password = ''] = (encoding === 'basic' && /^([^:]*):(.*)$/s.exec(secret)) || [];
  const encoded = encoding === 'basic' && secret !== '' ? inBase64(secret) : '';
  return [password, login, encoded].filter((part) => part !== '');
}

/** Why a credential cannot be sent; null if it can. */
export function credentialFault(credential: Credential, secrets: Secrets): string | null {
  const [part] = secretParts(credential, secrets);
  if (part === undefined) return `Not set: ${credential.env}.`;
  if (part.length >= SHORTEST_SECRET) return null;
  return `${credential.env} holds fewer than ${SHORTEST_SECRET} characters of secret: an answer that repeats it could not be told from others.`;
}

/** @throws Error if it cannot be sent: the gateway looks at all of them when it starts. */
function credentialValue(credential: Credential, secrets: Secrets): string {
  const fault = credentialFault(credential, secrets);
  if (fault !== null) throw new Error(fault);
  const secret = secrets[credential.env] ?? '';
  return `${credential.prefix}${credential.encoding === 'basic' ? inBase64(secret) : secret}`;
}

const inBase64 = (text: string): string => toBase64(new TextEncoder().encode(text));
