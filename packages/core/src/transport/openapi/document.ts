import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { securitySchemes, sharedHeaders, sharedParameters, sharedSchemas } from './components.ts';
import { wireFields } from './fields.ts';
import { inputSchema, outputSchema, refusalSchema, type SchemaComponents } from './json-schema.ts';
import { parametersOf, requestBodyOf, securityOf } from './request.ts';
import { type ResponseComponents, responsesOf } from './responses.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly externalDocs: object;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  /** By path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, object>>;
}

/** The whole REST interface as one OpenAPI document, derived from the operations and nothing else. */
export function openApiDocument(
  operations: readonly AnyOperation[],
  { baseUrl }: { readonly baseUrl: string },
): OpenApiDocument {
  const schemas: SchemaComponents = {};
  const responses: ResponseComponents = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { path, method } = operation.http;
    paths[path] = { ...paths[path], [method]: operationObject(operation, schemas, responses) };
  }
  return {
    openapi: '3.1.1',
    info: { title: BRAND.platform, version: BRAND.apiVersion, description: DESCRIPTION },
    externalDocs: { description: 'Documentation to read', url: `${baseUrl}/docs` },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(({ area }) => area))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...sharedSchemas(operations), ...sorted(schemas) },
      responses: sorted(responses),
      headers: sharedHeaders,
      parameters: sharedParameters,
      securitySchemes,
    },
  };
}

const DESCRIPTION =
  'A two-sided marketplace where agents buy and sell. Every JSON answer ends with `provenance`, which holds a ' +
  'signed receipt; so does this document where it is served. Refusals are problems as in RFC 9457.';

function operationObject(
  operation: AnyOperation,
  schemas: SchemaComponents,
  responses: ResponseComponents,
): object {
  const fields = wireFields(operation, inputSchema(operation, schemas));
  const parameters = parametersOf(operation, fields);
  const requestBody = requestBodyOf(operation, fields);
  return {
    operationId: operation.name,
    tags: [operation.area],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === null ? {} : { requestBody }),
    responses: responsesOf(
      operation,
      outputSchema(operation, schemas),
      responses,
      refusalSchema(operation, schemas),
    ),
  };
}

/** Named things stay where they are in the document when an operation is moved or added. */
function sorted<V>(record: Readonly<Record<string, V>>): Record<string, V> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
