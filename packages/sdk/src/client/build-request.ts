import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** The route of an operation. */
export interface Route {
  readonly method: string;
  /** Has `{name}` for each path parameter, by its name on the wire. */
  readonly path: string;
  /** Names on the wire of fields that have another one there. */
  readonly names: Readonly<Record<string, string>>;
  /** Whether it changes something, so that a retry must carry a key. */
  readonly idempotencyKey: boolean;
  /** Set where the answer is a file. */
  readonly file?: true;
  /** What is sent for a field that is left out, where another one is sent. */
  readonly defaults?: ClientDefaults;
  /** The field whose members are the query string. */
  readonly queryField?: string;
  /** With such a field: the header for each other field. */
  readonly headers?: Readonly<Record<string, string>>;
}

type ClientDefaults = Readonly<Record<string, { readonly with: string; readonly value: string }>>;

export interface RequestParts {
  readonly method: string;
  /** Below the base URL, query included. */
  readonly path: string;
  readonly body: JsonObject | null;
  readonly idempotencyKey: boolean;
  readonly isFile: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Puts the fields of an operation's input in their places: path, body (POST, PATCH) or query. */
export function placeInput(route: Route, input: Readonly<Record<string, unknown>>): RequestParts {
  const byWireName = new Map<string, unknown>();
  const headers: Record<string, string> = {};
  for (const [field, value] of Object.entries({ ...input, ...defaultsFor(route, input) })) {
    const header = route.headers?.[field];
    if (value === undefined || field === route.queryField) continue;
    if (header === undefined) byWireName.set(route.names[field] ?? field, value);
    else headers[header] = String(value);
  }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = byWireName.get(name);
    byWireName.delete(name);
    return pathSegment(name, value);
  });
  const rest = Object.fromEntries(byWireName);
  const { idempotencyKey } = route;
  const isFile = route.file === true;
  const method = route.method.toUpperCase();
  if (route.queryField !== undefined) {
    const query = (input[route.queryField] ?? {}) as Readonly<Record<string, unknown>>;
    return { method, path: withQuery(path, query), body: null, idempotencyKey, isFile, headers };
  }
  return hasBody(method)
    ? { method, path, body: rest as JsonObject, idempotencyKey, isFile }
    : { method, path: withQuery(path, rest), body: null, idempotencyKey, isFile };
}

function defaultsFor({ defaults = {} }: Route, input: Readonly<Record<string, unknown>>) {
  const missing = Object.entries(defaults).filter(
    ([field, { with: other }]) => input[field] === undefined && input[other] !== undefined,
  );
  return Object.fromEntries(missing.map(([field, { value }]) => [field, value]));
}

export function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT';
}

/** Undefined members are left out; objects and arrays travel as JSON text. */
export function withQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    parameters.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  const text = parameters.toString();
  if (text === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/** `.` and `..` would be resolved away, and an empty segment would name another path. */
function pathSegment(name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text === '.' || text === '..') {
    throw new TypeError(`The path parameter ${name} must be a non-empty text.`);
  }
  return encodeURIComponent(text);
}
