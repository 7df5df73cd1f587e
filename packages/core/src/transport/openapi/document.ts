import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { outsideRoot } from '../../kernel/documents/standard-documents.ts';
import { type AnyOperation, type Area, descriptionOf } from '../../kernel/operation/operation.ts';
import { securitySchemes, sharedHeaders, sharedParameters, sharedSchemas } from './components.ts';
import { operationExamples } from './examples.ts';
import { wireFields } from './fields.ts';
import {
  COMPONENTS,
  inputSchema,
  JSON_VALUE,
  type JsonSchema,
  outputSchema,
  refusalSchema,
  type SchemaComponents,
} from './json-schema.ts';
import { parametersOf, requestBodyOf, securityOf } from './request.ts';
import { type ResponseComponents, responsesOf } from './responses.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly externalDocs: object;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, object>>;
}

/** What anybody may call. */
export function publicOpenApiDocument(
  operations: readonly AnyOperation[],
  options: { readonly baseUrl: string },
) {
  return openApiDocument(
    operations.filter(({ auth }) => auth !== 'operator'),
    options,
  );
}

/** What only those who run the marketplace may call. */
export function operatorOpenApiDocument(
  operations: readonly AnyOperation[],
  options: { readonly baseUrl: string },
) {
  return openApiDocument(
    operations.filter(({ auth }) => auth === 'operator'),
    options,
  );
}

/** A list of operations as one OpenAPI document, derived from the operations and nothing else. */
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
  if (schemas[JSON_VALUE] !== undefined) schemas[JSON_VALUE] = ANY_JSON;
  const shared = sharedSchemas(operations);
  const text = JSON.stringify([paths, responses, schemas, shared]);
  const referred = Object.entries(shared).filter(([name]) => text.includes(`"${COMPONENTS}${name}"`));
  return {
    openapi: '3.1.1',
    info: {
      title: BRAND.platform,
      version: BRAND.apiVersion,
      description: DESCRIPTION,
      termsOfService: `${outsideRoot(baseUrl)}/policies/terms`,
    },
    externalDocs: { description: 'Documentation to read', url: `${baseUrl}/docs` },
    servers: [{ url: baseUrl }],
    tags: AREAS.filter(([area]) => operations.some((one) => one.area === area)).map(
      ([name, description]) => ({
        name,
        description,
      }),
    ),
    paths,
    components: {
      schemas: { ...Object.fromEntries(referred), ...sorted(schemas) },
      responses: sorted(responses),
      headers: sharedHeaders,
      // Operators' operations read nothing that may be late.
      parameters: Object.fromEntries(
        Object.entries(sharedParameters).filter(([name]) =>
          text.includes(`"#/components/parameters/${name}"`),
        ),
      ),
      securitySchemes: schemesOf(operations),
    },
  };
}

/** The same without referring to itself: generators make a type of that which its language refuses. */
const ANY_JSON: JsonSchema = { description: 'Any JSON value.' };

function schemesOf(operations: readonly AnyOperation[]): object {
  const used = new Set(operations.flatMap(securityOf).flatMap((carrier) => Object.keys(carrier)));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
}

/** In the order in which they are best read. */
const AREAS = Object.entries({
  Agents: 'Accounts: registration, keys and their budgets, messages, events, approvals, export and erasure.',
  Catalogue: 'Categories and verticals, by which listings are filed.',
  Listings: 'What sellers offer: search, listings, their history and quality, ratings, health data.',
  Purchasing: 'Purchases and their content; wallet, cards and USDC; disputes and offers.',
  Selling: 'Delivery endpoints, payouts, orders, offers, sales and statements of a seller.',
  Ingress: 'The door: signed admissions of agents, its keys, schedule and occupancy.',
  Inquiries: 'Questions and ideas for those who run the marketplace, reports and appeals.',
  Provenance: 'The keys that sign answers, and the check of a receipt.',
  Meta: 'The marketplace itself: what it is, its fees and figures; reports and roles for operators.',
} satisfies Record<Area, string>);

const DESCRIPTION =
  'A two-sided marketplace where agents buy and sell. Every JSON answer ends with `provenance`, which holds a ' +
  'signed receipt; this document has it in the header `X-MKT-Provenance`. Refusals are problems as in RFC 9457. ' +
  'Every answer has the headers `X-Request-Id`, `RateLimit` and `RateLimit-Policy`. Examples are recorded exchanges, ' +
  'shortened to the first item of each list and then signed anew: their receipts verify with the key in the example of ' +
  '`GET /signing-key`, which signs nothing else.';

function operationObject(
  operation: AnyOperation,
  schemas: SchemaComponents,
  responses: ResponseComponents,
): object {
  const fields = wireFields(operation, inputSchema(operation, schemas, 'referred'));
  const example = operationExamples[operation.name];
  const parameters = parametersOf(operation, fields, example);
  const requestBody = requestBodyOf(operation, fields, example);
  const description = descriptionOf(operation);
  return {
    operationId: operation.name,
    tags: [operation.area],
    summary: operation.summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === null ? {} : { requestBody }),
    responses: responsesOf(
      operation,
      {
        output: outputSchema(operation, schemas, 'referred'),
        refusal: refusalSchema(operation, schemas, 'referred'),
        example,
      },
      responses,
    ),
  };
}

/** Named things stay where they are in the document when an operation is moved or added. */
function sorted<V>(record: Readonly<Record<string, V>>): Record<string, V> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
