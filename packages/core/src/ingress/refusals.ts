import { sealReceipt } from '@agent-marketplace/protocol/ingress/seal-receipt.ts';
import { commonErrors, type ErrorKind, Refusal } from '../kernel/errors.ts';
import type { SignedRefusals } from '../kernel/operation/operation.ts';
import { declaredClass } from './admission.rules.ts';
import { refusalErrors } from './ingress.errors.ts';
import { berthKey, refuseReceipt, requestId, side } from './ingress.schema.ts';
import { isIntentClass } from './vocabulary.rules.ts';

/** Refusals of a request before admission reads it. */
const REQUEST_KINDS: readonly ErrorKind[] = ['invalid', 'too_large', 'unsupported_media_type'];
const FAILURE_KINDS: readonly ErrorKind[] = [
  'internal',
  'unavailable',
  'upstream_failed',
  'upstream_timed_out',
];

/** The detail may repeat names of unknown fields, which callers choose. */
const MAX_DETAIL_LENGTH = 500;
const MAX_REASONS = 20;

/** Admission answers with a signed REFUSE whatever goes wrong, even before it reads the request. */
export const admitRefusals: SignedRefusals = {
  output: refuseReceipt,
  async answer(thrown, { ports, now, fields }) {
    const refusal = toDoorRefusal(thrown, fields.intentClass);
    if (ports.door === null || refusal === null) return null;
    const { definition, details } = refusal;
    const { retryAfterSeconds } = details;
    const reasons = details.fields?.slice(0, MAX_REASONS).map(({ message, path }) => ({
      message: message.slice(0, MAX_DETAIL_LENGTH).toWellFormed(),
      path: path.slice(0, MAX_DETAIL_LENGTH).toWellFormed(),
    }));
    const body = await sealReceipt(
      ports.door.signer,
      {
        berthKey: valueOrNull(berthKey.safeParse(fields.berthKey))?.toLowerCase() ?? null,
        code: definition.code,
        detail: details.detail ?? definition.title,
        intentClass: isIntentClass(fields.intentClass) ? fields.intentClass : null,
        ...(reasons === undefined ? {} : { reasons }),
        remedy: definition.remedy,
        requestId: valueOrNull(requestId.safeParse(fields.requestId)),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        retryable: definition.retryable,
        side: valueOrNull(side.safeParse(fields.side)),
        type: 'REFUSE',
      },
      now,
    );
    return { refusal, body };
  },
};

/** The refusal in the door's own codes; null for one that has no code of the door. */
function toDoorRefusal(thrown: Refusal, intentClass: unknown): Refusal | null {
  const { definition, details } = thrown;
  if (definition.code in refusalErrors) return thrown;
  if (FAILURE_KINDS.includes(definition.kind)) {
    return new Refusal(refusalErrors.COMPONENT_UNAVAILABLE, { retryAfterSeconds: 1 });
  }
  if (definition.kind === 'rate_limited') {
    const detail = `This is the limit of requests, not of the class: ${details.detail ?? definition.title}`;
    return new Refusal(refusalErrors.CAPACITY_EXHAUSTED, { ...details, detail });
  }
  if (!REQUEST_KINDS.includes(definition.kind)) return null;
  // Without a class nothing else matters, an empty body included.
  if (
    definition === commonErrors.validation_failed &&
    declaredClass(intentClass, undefined).kind === 'missing'
  ) {
    return new Refusal(refusalErrors.MISSING_CLASS);
  }
  const faults = details.fields?.map(({ path, message }) => `${path}: ${message}`).join(' ');
  const detail = faults || details.detail || definition.title;
  return new Refusal(refusalErrors.MALFORMED, {
    detail: detail.slice(0, MAX_DETAIL_LENGTH).toWellFormed(),
    ...(details.fields ? { fields: details.fields } : {}),
  });
}

function valueOrNull<T>(result: { success: true; data: T } | { success: false }): T | null {
  return result.success ? result.data : null;
}
