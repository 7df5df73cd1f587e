import { type ErrorKind, Refusal } from '../kernel/errors.ts';
import type { SignedRefusals } from '../kernel/operation/operation.ts';
import { refusalErrors } from './ingress.errors.ts';
import { berthKey, refuseReceipt, requestId, side } from './ingress.schema.ts';
import { sealReceipt } from './receipts.ts';
import { isIntentClass } from './vocabulary.rules.ts';

/** What is wrong with a request before admission itself looks at it. */
const OF_THE_BODY: readonly ErrorKind[] = ['invalid', 'too_large', 'unsupported_media_type'];
const OF_OURS: readonly ErrorKind[] = ['internal', 'unavailable', 'upstream_failed', 'upstream_timed_out'];

/** Names of unknown fields are the caller's, and may be long. */
const MAX_DETAIL_LENGTH = 500;

/** Admission answers with a signed REFUSE whatever goes wrong, also before it looks at the request itself. */
export const admitRefusals: SignedRefusals = {
  output: refuseReceipt,
  async answer(thrown, { ports, now, fields }) {
    const refusal = asRefuse(thrown);
    if (ports.door === null || refusal === null) return null;
    const { definition, details } = refusal;
    const { retryAfterSeconds } = details;
    const body = await sealReceipt(
      ports.door.signer,
      {
        berthKey: readable(berthKey.safeParse(fields.berthKey))?.toLowerCase() ?? null,
        code: definition.code,
        detail: details.detail ?? definition.title,
        intentClass: isIntentClass(fields.intentClass) ? fields.intentClass : null,
        remedy: definition.remedy,
        requestId: readable(requestId.safeParse(fields.requestId)),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        retryable: definition.retryable,
        side: readable(side.safeParse(fields.side)),
        type: 'REFUSE',
      },
      now,
    );
    return { refusal, body };
  },
};

/** The refusal in the door's own codes; null for what is not the door's affair. */
function asRefuse(thrown: Refusal): Refusal | null {
  const { definition, details } = thrown;
  if (definition.code in refusalErrors) return thrown;
  if (OF_OURS.includes(definition.kind)) {
    return new Refusal(refusalErrors.COMPONENT_UNAVAILABLE, { retryAfterSeconds: 1 });
  }
  if (definition.kind === 'rate_limited') {
    const detail = `This is the limit of requests, not of the class: ${details.detail ?? definition.title}`;
    return new Refusal(refusalErrors.CAPACITY_EXHAUSTED, { ...details, detail });
  }
  if (!OF_THE_BODY.includes(definition.kind)) return null;
  const faults = details.fields?.map(({ path, message }) => `${path}: ${message}`).join(' ');
  const detail = faults || details.detail || definition.title;
  return new Refusal(refusalErrors.MALFORMED, { detail: detail.slice(0, MAX_DETAIL_LENGTH).toWellFormed() });
}

function readable<T>(result: { success: true; data: T } | { success: false }): T | null {
  return result.success ? result.data : null;
}
