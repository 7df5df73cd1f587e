import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { isTool } from './names.ts';

/** Rewrites a text of the marketplace for readers whose API root is `baseUrl`. */
export type TextRenderer = (text: string, baseUrl: string, siteUrl?: string) => string;

/** A method and a path, and the tool where the text names both. */
const REST_OPERATION = /(?:(\w+), )?\b(GET|POST|PATCH|DELETE) (\/[\w{}/-]+(?:\.json)?)/g;

/** A page for people, by its path. */
const PAGE = /\bpage (\/[a-z][\w/-]*)/g;

/**
 * Texts name operations by method and path. Whoever calls tools reads the tool's name instead, or the whole URL where the
 * operation is no tool: a path alone leads an agent nowhere. Pages are on `siteUrl`, where they have an origin of their own.
 */
export function createToolNamer(operations: readonly AnyOperation[]): TextRenderer {
  const tools = new Map(
    operations.filter(isTool).map(({ http, mcp }) => [`${http.method.toUpperCase()} ${http.path}`, mcp.tool]),
  );
  return (text, baseUrl, siteUrl = new URL(baseUrl).origin) =>
    text
      .replaceAll(PAGE, (_, path: string) => `page ${siteUrl}${path}`)
      .replaceAll(REST_OPERATION, (_, before: string | undefined, method: string, path: string) => {
        const name = tools.get(`${method} ${path}`) ?? `${method} ${baseUrl}${path}`;
        return before === undefined || before === name ? name : `${before}, ${name}`;
      });
}

const WORDED: ReadonlySet<string> = new Set(['description', 'title']);

/** Rewrites the titles and descriptions in a schema or another document, at any depth. */
export function renderDescriptions<T>(value: T, render: (text: string) => string): T {
  if (Array.isArray(value)) return value.map((one) => renderDescriptions(one, render)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    typeof member === 'string' && WORDED.has(name) ? render(member) : renderDescriptions(member, render),
  ]);
  return Object.fromEntries(members) as T;
}
