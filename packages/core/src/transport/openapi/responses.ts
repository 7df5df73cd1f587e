import type { ErrorDefinition } from '../../kernel/errors.ts';
import { type AnyOperation, isPublicRead } from '../../kernel/operation/operation.ts';
import { NOTICE } from './components.ts';
import { errorsByStatus, isInOwnForm } from './errors.ts';
import type { OperationExample } from './examples.ts';
import { COMPONENTS, type JsonSchema } from './json-schema.ts';

/** Responses that several operations share, by name. */
export type ResponseComponents = Record<string, object>;

const SUCCESS = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' } as const;
/** Of refusals as well, where the description of the document says so. */
const EVERY_RESPONSE = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** What an operation may answer, and did once. */
interface Answers {
  readonly output: JsonSchema;
  /** In place of problems, where its refusals are statements of its own. */
  readonly refusal: JsonSchema | null;
  readonly example: OperationExample | undefined;
}

export function responsesOf(
  operation: AnyOperation,
  { output, refusal, example }: Answers,
  shared: ResponseComponents,
): Record<string, object> {
  const { method, status } = operation.http;
  const isGet = method === 'get';
  const replays = operation.replay !== undefined && operation.replay !== 'refused';
  const ofFile = operation.file ? ['X-Content-SHA256', 'Content-Disposition'] : [];
  const extra = [
    ...(isGet ? ['ETag'] : []),
    ...ofFile,
    ...(replays ? ['Idempotency-Replayed'] : []),
    ...(isGet ? [] : ['X-D1-Bookmark']),
  ];
  const responses: Record<string, object> = {
    [status]: {
      description: SUCCESS[status],
      headers: { ...headers(...EVERY_RESPONSE, ...extra), ...ownHeaders(operation) },
      content: operation.file
        ? fileContent(operation.file.mediaTypes, example)
        : {
            'application/json': {
              schema: answerSchema(operation, output),
              ...(example ? { example: example.answer } : {}),
            },
          },
    },
  };
  if (isGet) {
    shared.NotModified = {
      description: 'Unchanged since the ETag in If-None-Match.',
      headers: headers(...EVERY_RESPONSE, 'ETag'),
    };
    responses['304'] = { $ref: '#/components/responses/NotModified' };
  }
  for (const [errorStatus, errors] of errorsByStatus(operation)) {
    const isOwn = errors.every((error) => isInOwnForm(operation, error));
    responses[errorStatus] =
      refusal && isOwn ? ownRefusalResponse(operation, errors, refusal) : errorResponse(errors, shared);
  }
  return responses;
}

/** OpenAPI 3.1 describes bytes by a media type alone. */
function fileContent(
  mediaTypes: readonly string[],
  example: OperationExample | undefined,
): Record<string, object> {
  const texts = example?.answer ?? {};
  return Object.fromEntries(
    mediaTypes.map((mediaType) => [
      mediaType,
      Object.hasOwn(texts, mediaType) ? { example: texts[mediaType] } : {},
    ]),
  );
}

/** The schema of an operation's answer, with what is added to its output. */
export function answerSchema(operation: AnyOperation, output: JsonSchema): JsonSchema {
  return withProvenance(output, isPublicRead(operation));
}

/** An answer's schema with the member that every answer ends with, and the notice of public reads. */
function withProvenance(output: JsonSchema, hasNotice: boolean): JsonSchema {
  const { properties, required = [] } = output;
  const notice = hasNotice ? { notice: NOTICE } : {};
  if (properties !== undefined) {
    const provenance = { $ref: `${COMPONENTS}Provenance` };
    return {
      ...output,
      properties: { ...properties, ...notice, provenance },
      required: [...required, 'provenance'],
    };
  }
  const names = ['Signed', ...(hasNotice ? ['Noticed'] : [])];
  return { allOf: [output, ...names.map((name) => ({ $ref: COMPONENTS + name }))] };
}

/** What comes before most operations, by the codes of one status. */
const COMMON_REFUSALS = new Map(
  Object.entries({
    InvalidRequest: 'validation_failed conflicting_api_keys',
    InvalidBody: 'validation_failed malformed_json number_not_exact conflicting_api_keys',
    InvalidPublicBody:
      'validation_failed sensitive_content malformed_json number_not_exact conflicting_api_keys',
    ApiKeyRefused: 'missing_api_key invalid_api_key api_key_revoked api_key_expired',
    OptionalApiKeyRefused: 'invalid_api_key api_key_revoked api_key_expired',
    SellerKeyRefused: 'missing_api_key invalid_api_key api_key_revoked api_key_expired not_a_seller',
    OperatorRefused: 'admin_required role_missing',
  }).map(([name, codes]) => [codes, name]),
);

function nameOf(codes: readonly string[]): string | null {
  const [only = '', ...others] = codes;
  if (others.length > 0) return COMMON_REFUSALS.get(codes.join(' ')) ?? null;
  return only.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** What is the same wherever it occurs is written once: a status with one possible code, and the common refusals. */
function errorResponse(errors: readonly ErrorDefinition[], shared: ResponseComponents): object {
  const name = nameOf(errors.map(({ code }) => code));
  if (name === null) return problemResponse(errors);
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
    content: { 'application/json': { schema: withProvenance(schema, false) } },
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
    ...(waits ? { headers: headers('Retry-After') } : {}),
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
