import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { verifyEd25519 } from '@agent-marketplace/protocol/crypto/ed25519.ts';
import { fromHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import * as z from 'zod';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation, ExactAnswer } from '../kernel/operation/operation.ts';
import { declaredClass, isFresh, signedText } from './admission.rules.ts';
import { refusalErrors } from './ingress.errors.ts';
import { admitReceipt, berthKey, requestId, side, verticalSlug } from './ingress.schema.ts';
import { admitRefusals } from './refusals.ts';
import { INTENT_CLASSES } from './vocabulary.rules.ts';

/** Clause: POST /ingress/admit. */
export const admit = defineOperation({
  name: 'admit',
  summary: 'Ask for admission to the ingress door with a berth key of your own.',
  description:
    'No API key: the signature proves possession of the berth key. Every answer is a signed receipt, ADMIT or REFUSE, that verifies offline with GET /ingress/keys and GET /ingress/schedule. The same requestId with the same terms gets the same answer, to the byte.',
  area: 'Ingress',
  auth: 'none',
  ignoresUnknownFields: true,
  input: z.object({
    berthKey,
    intentClass: z
      .custom<unknown>(() => true)
      .optional()
      .meta({ type: 'string', enum: [...INTENT_CLASSES], description: 'There is no default.' }),
    requestId: requestId.describe('Unique across the door; a retry sends it again.'),
    side: side.describe('What the agent comes to do; depth counts the other side.'),
    sig: z
      .string()
      .regex(/^[0-9a-fA-F]{128}$/, '128 hexadecimal digits.')
      .describe(
        'Ed25519, hex, over the key-sorted JSON without whitespace of {berthKey, intentClass, requestId, side, ts}, with vertical if it is sent.',
      ),
    ts: z.int().describe('Unix time in seconds, at most 300 from now.'),
    vertical: verticalSlug.optional().describe('Slug of the vertical the agent comes for.'),
  }),
  output: admitReceipt,
  errors: Object.values(refusalErrors),
  refusals: admitRefusals,
  http: {
    method: 'post',
    path: '/ingress/admit',
    status: 200,
    headers: { intentClass: BRAND.header.class, requestId: 'Idempotency-Key' },
    maxBodyBytes: 16 * 1024,
  },
  rate: 'write',
  async handle({ ports, now, baseUrl, headerFields }, input) {
    const { requestId, side, ts, vertical = null } = input;
    if (headerFields.requestId !== undefined && headerFields.requestId !== requestId) {
      throw new Refusal(refusalErrors.MALFORMED, { detail: 'requestId and Idempotency-Key differ.' });
    }
    const declaration = declaredClass(input.intentClass, headerFields.intentClass);
    if (declaration.kind === 'missing') throw new Refusal(refusalErrors.MISSING_CLASS);
    if (declaration.kind === 'invalid') throw new Refusal(refusalErrors.INVALID_CLASS);
    const { intentClass } = declaration;
    if (!(await isSigned({ ...input, intentClass }))) throw new Refusal(refusalErrors.BAD_SIGNATURE);

    const terms = { berthKey: input.berthKey.toLowerCase(), intentClass, side, vertical };
    const request = { requestId, terms, isFresh: isFresh(ts, now), now, baseUrl };
    const answer = (await ports.door?.admit(request)) ?? UNAVAILABLE;
    switch (answer.kind) {
      case 'admitted':
        return new ExactAnswer(utf8(answer.text), answer.digest, answer.replayed);
      case 'stale':
        throw new Refusal(refusalErrors.STALE_TS);
      case 'conflict':
        throw new Refusal(refusalErrors.IDENTIFIER_CONFLICT);
      case 'exhausted':
        throw new Refusal(refusalErrors.CAPACITY_EXHAUSTED, {
          detail: 'The intent class has no room for another session.',
          retryAfterSeconds: answer.retryAfterSeconds,
        });
      case 'unavailable':
        throw new Refusal(refusalErrors.COMPONENT_UNAVAILABLE, { retryAfterSeconds: 1 });
    }
  },
});

const UNAVAILABLE = { kind: 'unavailable' } as const;

/** Checks the key as it was sent: the case of its hexadecimal digits is part of the signed text. */
function isSigned(request: Parameters<typeof signedText>[0] & { readonly sig: string }): Promise<boolean> {
  const key = fromHex(request.berthKey) ?? new Uint8Array();
  const signature = fromHex(request.sig) ?? new Uint8Array();
  return verifyEd25519(key, utf8(signedText(request)), signature);
}
