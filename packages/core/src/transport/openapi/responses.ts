import type { ErrorDefinition } from '../../kernel/errors.ts';
import { type AnyOperation, isPublicRead } from '../../kernel/operation/operation.ts';
import { errorsByStatus, isInOwnForm } from './errors.ts';
import { COMPONENTS, type JsonSchema } from './json-schema.ts';

/** Responses that several operations share, by name. */
export type ResponseComponents = Record<string, object>;

const SUCCESS = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' } as const;
const EVERY_RESPONSE = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

export function responsesOf(
  operation: AnyOperation,
  output: JsonSchema,
  shared: ResponseComponents,
  refusal: JsonSchema | null = null,
): Record<string, object> {
  const { method, status } = operation.http;
  const isGet = method === 'get';
  const replays = operation.replay !== undefined && operation.replay !== 'refused';
  const ofFile = operation.file ? ['X-Content-SHA256', 'Content-Disposition'] : [];
  const extra = [...(isGet ? ['ETag'] : []), ...ofFile, ...(replays ? ['Idempotency-Replayed'] : [])];
  const responses: Record<string, object> = {
    [status]: {
      description: SUCCESS[status],
      headers: { ...headers(...EVERY_RESPONSE, ...extra), ...ownHeaders(operation) },
      content: operation.file
        ? fileContent(operation.file.mediaTypes)
        : { 'application/json': { schema: answerSchema(operation, output) } },
    },
  };
  if (isGet) {
    responses['304'] = {
      description: 'Unchanged since the ETag in If-None-Match.',
      headers: headers(...EVERY_RESPONSE, 'ETag'),
    };
  }
  for (const [errorStatus, errors] of errorsByStatus(operation)) {
    const isOwn = errors.every((error) => isInOwnForm(operation, error));
    responses[errorStatus] =
      refusal && isOwn ? ownRefusalResponse(operation, errors, refusal) : errorResponse(errors, shared);
  }
  return responses;
}

/** OpenAPI 3.1 describes bytes by a media type alone. */
function fileContent(mediaTypes: readonly string[]): Record<string, object> {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, {}]));
}

/** The schema of an operation's answer, with what is added to its output. */
export function answerSchema(operation: AnyOperation, output: JsonSchema): JsonSchema {
  if (!isPublicRead(operation) || output.properties === undefined) return withProvenance(output);
  return withProvenance({ ...output, properties: { ...output.properties, notice: NOTICE } });
}

const NOTICE: JsonSchema = { type: 'string', description: 'What of the request was ignored; mostly absent.' };

/** An answer's schema with the member that every answer ends with. */
function withProvenance(output: JsonSchema): JsonSchema {
  const provenance = { $ref: `${COMPONENTS}Provenance` };
  if (output.properties === undefined) {
    const signed = { type: 'object', properties: { provenance }, required: ['provenance'] };
    return { allOf: [output, signed] };
  }
  return {
    ...output,
    properties: { ...output.properties, provenance },
    required: [...(output.required ?? []), 'provenance'],
  };
}

/** A status with one possible code is the same wherever it occurs, so it is written once. */
function errorResponse(errors: readonly ErrorDefinition[], shared: ResponseComponents): object {
  const [only, ...others] = errors;
  if (only === undefined || others.length > 0) return problemResponse(errors);
  const name = only.code.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  shared[name] = problemResponse(errors);
  return { $ref: `#/components/responses/${name}` };
}

/** A refusal in the operation's own form. */
function ownRefusalResponse(
  operation: AnyOperation,
  errors: readonly ErrorDefinition[],
  refusal: JsonSchema,
): object {
  const { description, headers: common } = problemResponse(errors);
  const code = { type: 'string', enum: errors.map((error) => error.code) };
  const hasCode = refusal.properties?.code !== undefined;
  const schema = hasCode ? { ...refusal, properties: { ...refusal.properties, code } } : refusal;
  return {
    description,
    headers: { ...common, ...ownHeaders(operation) },
    content: { 'application/json': { schema: withProvenance(schema) } },
  };
}

function ownHeaders({ http }: AnyOperation): Record<string, object> {
  const own = Object.entries(http.responseHeaders ?? {});
  return Object.fromEntries(
    own.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

function problemResponse(errors: readonly ErrorDefinition[]) {
  const codes = errors.map(({ code }) => code);
  const waits = errors.some(({ retryable, kind }) => retryable && kind !== 'internal');
  return {
    description: errors.map(({ code, title }) => `\`${code}\`: ${title}`).join('\n'),
    headers: headers(...EVERY_RESPONSE, ...(waits ? ['Retry-After'] : [])),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: `${COMPONENTS}Problem` },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
      },
    },
  };
}

function headers(...names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
