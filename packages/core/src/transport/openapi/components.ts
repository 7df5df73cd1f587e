import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { VERIFY_OPERATION } from '@agent-marketplace/protocol/crypto/verify-operation.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { allErrors } from './errors.ts';
import { COMPONENTS, type JsonSchema, type SchemaComponents } from './json-schema.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });

export const NOTICE: JsonSchema = {
  type: 'string',
  description: 'What of the request was ignored; mostly absent.',
};

/** What `serialise` and `provenanceOf` of the protocol add to every answer. */
const provenance: JsonSchema = {
  description: 'Where the answer comes from, with a signed receipt over the rest of the body.',
  type: 'object',
  properties: {
    docs: { type: 'string', format: 'uri' },
    operator: { type: 'string' },
    platform: { type: 'string' },
    receipt: {
      type: 'object',
      properties: {
        alg: { type: 'string', const: 'ed25519' },
        digest: {
          ...text('SHA-256 of the body without `provenance`, in its RFC 8785 form.'),
          pattern: '^sha256:[0-9a-f]{64}$',
        },
        keyId: text('The key that signed.'),
        signature: text('Over `<keyId>.<signedAt>.<digest>`; base64url, unpadded.'),
        signedAt: { type: 'string', format: 'date-time' },
        verify: text(`How to check it: ${VERIFY_OPERATION}.`),
      },
      required: ['alg', 'digest', 'keyId', 'signature', 'signedAt', 'verify'],
    },
  },
  required: ['docs', 'operator', 'platform', 'receipt'],
};

/** What transport/http/problem.ts answers. */
const problem: JsonSchema = {
  description: 'A refusal (RFC 9457).',
  type: 'object',
  properties: {
    approvalBy: {
      type: 'array',
      items: { type: 'string', enum: ['passkey', 'mail'] },
      description:
        'With `approval_required`: how a person can approve: by an enrolled passkey, by the link that was mailed. Empty: nobody can yet.',
    },
    approvalUrl: {
      type: 'string',
      format: 'uri',
      description:
        'With `approval_required`: the page on which a person approves. The address grants nothing.',
    },
    budget: {
      description: 'With `budget_exceeded`: the limit of the key that had no room.',
      type: 'object',
      properties: {
        endsAt: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'When its window ends and the next begins; null: never.',
        },
        leftCents: { type: 'integer' },
        limitCents: { type: 'integer' },
        period: { type: 'string', enum: ['purchase', 'day', 'week', 'month', 'total'] },
      },
      required: ['endsAt', 'leftCents', 'limitCents', 'period'],
    },
    charged: { type: 'boolean', description: 'Where money can move: whether anything was charged.' },
    code: { $ref: `${COMPONENTS}ErrorCode` },
    detail: text('What was wrong with this request.'),
    errors: {
      description: 'The fields that were refused.',
      type: 'array',
      items: {
        type: 'object',
        properties: { message: { type: 'string' }, path: text('The field, dotted for nested values.') },
        required: ['message', 'path'],
      },
    },
    provenance: { $ref: `${COMPONENTS}Provenance` },
    requestId: text('Name it when asking for help.'),
    retryable: { type: 'boolean', description: 'Whether the same request may succeed later, unchanged.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    title: text('The same for every occurrence of the code.'),
    type: { type: 'string', format: 'uri', description: 'A page that explains the error.' },
  },
  required: ['code', 'detail', 'provenance', 'requestId', 'retryable', 'status', 'title', 'type'],
};

/** The schemas that every operation shares. */
export function sharedSchemas(operations: readonly AnyOperation[]): SchemaComponents {
  const codes = allErrors(operations).map(({ code }) => code);
  return {
    ErrorCode: { description: 'What went wrong: a closed list.', type: 'string', enum: codes },
    Noticed: { type: 'object', properties: { notice: NOTICE } },
    Problem: problem,
    Provenance: provenance,
    Signed: {
      type: 'object',
      properties: { provenance: { $ref: `${COMPONENTS}Provenance` } },
      required: ['provenance'],
    },
  };
}

export const sharedHeaders = {
  'Content-Disposition': {
    description: 'Always `attachment`: a file is saved, never shown.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Weak: it stands for everything but the signature. Send it back as If-None-Match.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: 'Set where the answer is that of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  RateLimit: {
    description: 'What is left: `"<policy>";r=<requests>;t=<seconds until it is full again>`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit: `"<policy>";q=<requests>;w=<seconds>`.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'X-Content-SHA256': {
    description: 'SHA-256 of the bytes, in lower-case hex.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  'X-D1-Bookmark': {
    description: 'The state that the change left. A read that sends it back is not older than that.',
    schema: { type: 'string' },
  },
  'X-Request-Id': { description: 'Names the request in our logs.', schema: { type: 'string' } },
};

export const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes a retry safe: the same key and the same body get the first answer for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of an answer already held; an unchanged one is answered with 304.',
    schema: { type: 'string' },
  },
  Bookmark: {
    name: 'X-D1-Bookmark',
    in: 'header',
    required: false,
    description: 'As the answer to a change had it: this answer is not older than that.',
    schema: { type: 'string' },
  },
};

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: `An API key, \`${BRAND.apiKeyPrefix}…\`. Send one key, by one of these ways.`,
  },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  apiKeyQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'For requests without a body; the others take `api_key` in the body.',
  },
  operator: {
    type: 'apiKey',
    in: 'header',
    name: BRAND.header.admin,
    description: 'The secret of who runs the marketplace. No API key opens what needs it.',
  },
};
