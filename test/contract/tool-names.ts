import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { TEST_BASE_URL } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { publicDocuments } from '@agent-marketplace/core/transport/documents/index.ts';
import { VERIFY_OPERATION } from '@agent-marketplace/protocol/crypto/verify-operation.ts';

/** Texts that sellers and buyers wrote, and paths that the interface specification asks for. */
const NOT_OF_TOOLS: ReadonlySet<string> = new Set([
  'content',
  'preview',
  'modificationHistoryUrl',
  'x402Path',
]);

const paths = [
  ...documentedOperations.map(({ http }) => http.path),
  ...publicDocuments.map(({ path }) => path),
];
const roots = [...new Set(['api', ...paths.map((path) => path.split('/')[1] ?? '')])];
const PATH_ALONE = new RegExp(`(?<![\\w.:}/<])/(?:${roots.join('|').replaceAll('.', '\\.')})\\b`);

/** Whether a text names an operation by its method and path, or a path of REST that is no whole URL. */
export function namesOperation(text: string): boolean {
  const rest = text.replaceAll(/https?:\/\/[^\s"'`]+/g, '');
  return /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) \//.test(rest) || PATH_ALONE.test(rest);
}

/** What of a document still names operations as REST does. A receipt says for every reader alike how it is verified. */
export function restPaths(value: unknown, name = ''): string[] {
  if (typeof value === 'string')
    return namesOperation(value) && !(name === 'verify' && value === VERIFY_OPERATION) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, one]) =>
    NOT_OF_TOOLS.has(member) ? [] : restPaths(one, member),
  );
}

/** An answer of REST as the tool words it: operations by their tools, or by whole URLs where they are none; pages by theirs. */
export function withToolNames<T>(body: T): T {
  let text = JSON.stringify(body).replaceAll('"verify":"POST /', '"verify":"POST  /');
  const longestFirst = documentedOperations.toSorted((a, b) => b.http.path.length - a.http.path.length);
  for (const { http, mcp } of longestFirst) {
    const rest = `${http.method.toUpperCase()} ${http.path}`;
    const name = mcp?.tool ?? `${http.method.toUpperCase()} ${TEST_BASE_URL}${http.path}`;
    text = text.replaceAll(`${name}, ${rest}`, name).replaceAll(rest, name);
  }
  text = text.replaceAll(/\bpage (\/[a-z][\w/-]*)/g, `page ${new URL(TEST_BASE_URL).origin}$1`);
  return JSON.parse(text.replaceAll('"verify":"POST  /', '"verify":"POST /')) as T;
}
