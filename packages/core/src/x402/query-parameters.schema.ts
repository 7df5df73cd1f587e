import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import * as z from 'zod';
import type { QueryParameters } from './query-parameters.rules.ts';

/** As of other purchases. What is paid for has less: its terms repeat it. */
const MAX_QUERY_BYTES = 64 * 1024;

const isText = (value: unknown) => typeof value === 'string';

/** A query string: each parameter with its text, or its texts. */
export const queryParameters = z
  .custom<QueryParameters>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((one) => isText(one) || (Array.isArray(one) && one.every(isText))),
    'Texts, or lists of texts, by name.',
  )
  .refine(
    (value) => utf8(JSON.stringify(value)).length <= MAX_QUERY_BYTES,
    `At most ${MAX_QUERY_BYTES} bytes as JSON.`,
  )
  .default({})
  .meta({ type: 'object', additionalProperties: { type: 'string' } });
