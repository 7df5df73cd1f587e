import { type AnyOperation, descriptionOf } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { sharedSchemas } from '@agent-marketplace/core/transport/openapi/components.ts';
import {
  inputSchema,
  outputSchema,
  type SchemaComponents,
  typeName,
} from '@agent-marketplace/core/transport/openapi/json-schema.ts';
import { declaration, docComment, literal } from './typescript.ts';

/** The module of the SDK that knows every operation: types and routes. It imports nothing. */
export function sdkModule(operations: readonly AnyOperation[]): string {
  const components: SchemaComponents = {};
  const types = operations.flatMap((operation) => {
    const name = typeName(operation);
    const about = [operation.summary, descriptionOf(operation)].filter(Boolean).join('\n\n');
    return [
      declaration(
        `${name}Input`,
        inputSchema(operation, components, 'referred'),
        'sent',
        `Input of ${operation.name}: ${about}`,
      ),
      operation.file
        ? `${docComment(`Answer of ${operation.name}.`, '')}export type ${name}Output = MarketplaceFile;\n`
        : declaration(
            `${name}Output`,
            outputSchema(operation, components, 'referred'),
            'received',
            `Answer of ${operation.name}.`,
          ),
    ];
  });
  const shared = { ...sharedSchemas(operations), ...components };
  const own = new Set(operations.flatMap((one) => [`${typeName(one)}Input`, `${typeName(one)}Output`]));
  const sharedTypes = Object.keys(shared)
    .filter((name) => !own.has(name))
    .sort()
    .map((name) => declaration(name, shared[name] ?? {}, 'received'));
  const codes = errorCodes(shared.ErrorCode?.enum);
  return [HEADER, FILE, ...sharedTypes, codes, ...types, operationsType(operations), routes(operations)].join(
    '\n',
  );
}

const HEADER = '// Written by `pnpm generate` from the list of operations. Do not edit.\n';

const FILE = `/** An answer that is a file and not JSON. It has no provenance: \`sha256\` is what a signed answer names it by. */
export interface MarketplaceFile {
  bytes: Uint8Array;
  contentType: string;
  /** Null where none was given. */
  filename: string | null;
  /** Of the bytes, in lower-case hex; checked. */
  sha256: string;
}
`;

/** At run time a code may come from a newer marketplace: a closed union has to know its members. */
function errorCodes(codes: unknown): string {
  return `/** Every code that this version knows. */
export const ERROR_CODES: readonly ErrorCode[] = ${literal(codes)};
`;
}

function operationsType(operations: readonly AnyOperation[]): string {
  const lines = operations.map((operation) => {
    const name = typeName(operation);
    const doc = docComment(operation.summary, '  ');
    return `${doc}  ${operation.name}: { input: ${name}Input; output: ${name}Output };\n`;
  });
  return `/** Every operation with what it takes and what it answers; \`provenance\` comes on top of every answer. */
export interface Operations {
${lines.join('')}}
`;
}

function routes(operations: readonly AnyOperation[]): string {
  const lines = operations.map((operation) => {
    const { http, auth, replay, file, clientDefaults } = operation;
    const renamed = Object.entries(http.names ?? {}).filter(([field, wire]) => field !== wire);
    const route = {
      method: http.method.toUpperCase(),
      path: http.path,
      auth,
      names: Object.fromEntries(renamed),
      idempotencyKey: replay !== undefined,
      ...(file ? { file: true } : {}),
      ...(clientDefaults === undefined ? {} : { defaults: clientDefaults }),
      ...(http.queryField === undefined ? {} : { queryField: http.queryField, headers: http.headers ?? {} }),
    };
    const members = Object.entries(route).map(([name, value]) => `    ${name}: ${literal(value)},\n`);
    return `  ${operation.name}: {\n${members.join('')}  },\n`;
  });
  return `/**
 * How each operation is called: \`names\` are the fields whose name in the request differs, and
 * \`idempotencyKey\` says whether a retry with the same Idempotency-Key is safe. The members of the field
 * \`queryField\` are the query string; then \`headers\` are the fields that travel in headers. \`defaults\` are sent for
 * fields that are left out, where another one is sent.
 */
export const routes = {
${lines.join('')}} as const;
`;
}
