import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { TEST_BASE_URL } from '@agent-marketplace/core/testing/workers-harness.ts';

/** Members that name the operation to verify with, the same for every reader, and texts that sellers and buyers wrote. */
const NOT_OF_TOOLS: ReadonlySet<string> = new Set(['verify', 'content', 'preview', 'modificationHistoryUrl']);

/** What of a document still names an operation by its method and path, or by a path of REST that is no whole URL. */
export function restPaths(value: unknown): string[] {
  if (typeof value === 'string') {
    const text = value.replaceAll(/https?:\/\/[^\s"'`]+/g, '');
    return /\b(?:GET|POST|PATCH|DELETE) \/|\/api\//.test(text) ? [value] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (NOT_OF_TOOLS.has(name) ? [] : restPaths(member)));
}

/** An answer of REST as the tool words it: operations by their tools, or by whole URLs where they are none. */
export function withToolNames<T>(body: T): T {
  let text = JSON.stringify(body).replaceAll('"verify":"POST /', '"verify":"POST  /');
  const longestFirst = documentedOperations.toSorted((a, b) => b.http.path.length - a.http.path.length);
  for (const { http, mcp } of longestFirst) {
    const rest = `${http.method.toUpperCase()} ${http.path}`;
    const name = mcp?.tool ?? `${http.method.toUpperCase()} ${TEST_BASE_URL}${http.path}`;
    text = text.replaceAll(`${name}, ${rest}`, name).replaceAll(rest, name);
  }
  return JSON.parse(text.replaceAll('"verify":"POST  /', '"verify":"POST /')) as T;
}
