import type { ErrorDefinition } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { errorsByStatus } from './errors.ts';
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
  const extra = [...(isGet ? ['ETag'] : []), ...(replays ? ['Idempotency-Replayed'] : [])];
  const responses: Record<string, object> = {
    [status]: {
      description: SUCCESS[status],
      headers: headers(...EVERY_RESPONSE, ...extra),
      content: { 'application/json': { schema: withProvenance(output) } },
    },
  };
  if (isGet) {
    responses['304'] = {
      description: 'Unchanged since the ETag in If-None-Match.',
      headers: headers(...EVERY_RESPONSE, 'ETag'),
    };
  }
  for (const [errorStatus, errors] of errorsByStatus(operation)) {
    responses[errorStatus] = refusal
      ? ownRefusalResponse(errors, operation, refusal)
      : errorResponse(errors, shared);
  }
  return responses;
}

/** An answer's schema with the member that every answer ends with. */
export function withProvenance(output: JsonSchema): JsonSchema {
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

/** A refusal in the operation's own form; what comes before the operation itself is a problem nevertheless. */
function ownRefusalResponse(
  errors: readonly ErrorDefinition[],
  operation: AnyOperation,
  refusal: JsonSchema,
): object {
  const isOwn = (error: ErrorDefinition) => operation.errors.includes(error);
  const codes = errors.filter(isOwn).map(({ code }) => code);
  const own = withProvenance({
    ...refusal,
    properties: { ...refusal.properties, code: { type: 'string', enum: codes } },
  });
  const problem = problemResponse(errors.filter((error) => !isOwn(error)));
  return {
    ...problemResponse(errors),
    content: { 'application/json': { schema: own }, ...(errors.every(isOwn) ? {} : problem.content) },
  };
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
