import { serialise, sign } from '@agent-marketplace/protocol/crypto/seal.ts';
import type { Refusal } from '../../kernel/errors.ts';
import { type AnyOperation, isPublicRead } from '../../kernel/operation/operation.ts';
import { runOperation } from '../../kernel/operation/run-operation.ts';
import { buildDocument, documentUrl, type PublicDocument, publicDocuments } from '../documents/index.ts';
import { coerceText, fieldKinds, wireNames } from '../wire-names.ts';
import { type Connection, callOfResource } from './connection.ts';

export interface ResourceEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export type Resource = ResourceEntry & { readonly uri: string };
export type ResourceTemplate = ResourceEntry & { readonly uriTemplate: string };

/** `missing`: no resource has this URI. `refused`: a problem, signed like every answer. */
export type ResourceText =
  | { readonly kind: 'text'; readonly mimeType: string; readonly text: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly problem: Record<string, unknown> }
  | { readonly kind: 'missing' };

export interface ResourceShelf {
  resources(baseUrl: string): Resource[];
  templates(baseUrl: string): ResourceTemplate[];
  read(uri: string, connection: Connection): Promise<ResourceText>;
}

/**
 * The resources: the documents, and every public GET whose answer may be cached. The URI of a resource is its URL
 * over HTTP, so a client can also fetch it there.
 */
export function createResourceShelf(
  operations: readonly AnyOperation[],
  documented: readonly AnyOperation[],
): ResourceShelf {
  const readable = operations.filter(isReadable);
  const fixed = readable.filter(({ http }) => !http.path.includes('{'));
  const variable = readable.filter(({ http }) => http.path.includes('{'));
  return {
    resources: (baseUrl) => [
      ...publicDocuments.map((document) => {
        const { name, title, description, mimeType } = document;
        return { uri: documentUrl(baseUrl, document), name, title, description, mimeType };
      }),
      ...fixed.map((operation) => ({ uri: baseUrl + operation.http.path, ...entryOf(operation) })),
    ],

    templates: (baseUrl) =>
      variable.map((operation) => ({ uriTemplate: baseUrl + operation.http.path, ...entryOf(operation) })),

    async read(uri, connection) {
      const { baseUrl } = connection.scope.origin;
      const document = publicDocuments.find((one) => documentUrl(baseUrl, one) === uri);
      if (document) return readDocument(document, documented, connection);
      if (!uri.startsWith(`${baseUrl}/`)) return { kind: 'missing' };
      const path = uri.slice(baseUrl.length);
      for (const operation of readable) {
        const parameters = matchPath(operation.http.path, path);
        if (parameters) return readOperation(operation, parameters, connection);
      }
      return { kind: 'missing' };
    },
  };
}

function isReadable(operation: AnyOperation): boolean {
  const { http, cache, input } = operation;
  const inPath = http.path.split('{').length - 1;
  const required = Object.values(input.shape).filter((field) => !acceptsNothing(field)).length;
  return isPublicRead(operation) && cache !== undefined && required === inPath;
}

function acceptsNothing(field: unknown): boolean {
  return (field as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success;
}

function entryOf({ name, summary, description }: AnyOperation): ResourceEntry {
  return {
    name,
    title: summary.replace(/\.$/, ''),
    description: [summary, description].filter(Boolean).join(' '),
    mimeType: 'application/json',
  };
}

/** The parameters of a path that matches the pattern, or null. Resources have no query. */
function matchPath(pattern: string, path: string): Record<string, string> | null {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const found = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '([^/?#]+)')}$`).exec(path);
  if (!found) return null;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
  } catch {
    return null;
  }
}

async function readDocument(
  document: PublicDocument,
  operations: readonly AnyOperation[],
  { scope }: Connection,
): Promise<ResourceText> {
  const { mimeType, standard } = document;
  const { baseUrl } = scope.origin;
  const { signer, clock } = scope.runtime.ports;
  const built = await buildDocument(document, operations, baseUrl, signer);
  if (typeof built === 'string') return { kind: 'text', mimeType, text: built };
  const unsigned = await serialise(built);
  // The result that it is read in is signed as a whole.
  const bytes = standard ? unsigned.bytes : await sign(unsigned, signer, clock.now(), baseUrl);
  return { kind: 'text', mimeType, text: new TextDecoder().decode(bytes) };
}

async function readOperation(
  operation: AnyOperation,
  parameters: Record<string, string>,
  connection: Connection,
): Promise<ResourceText> {
  const names = wireNames(operation, operation.http.names);
  const kinds = fieldKinds(operation);
  const fields = Object.entries(parameters).map(([wire, text]) => {
    const field = names.toField(wire);
    return [field, coerceText(text, kinds.get(field) ?? 'other')];
  });
  const call = callOfResource(connection, Object.fromEntries(fields));
  const answer = await runOperation(operation, connection.scope.runtime, call);
  connection.rate = answer.rate;
  if (answer.kind === 'not_modified') throw new Error('A resource is read without a digest.');
  const text = new TextDecoder().decode(answer.body);
  if (answer.kind === 'ok') return { kind: 'text', mimeType: 'application/json', text };
  const { refusal } = answer;
  if (refusal.definition.kind === 'not_found') return { kind: 'missing' };
  return { kind: 'refused', refusal, problem: JSON.parse(text) as Record<string, unknown> };
}
