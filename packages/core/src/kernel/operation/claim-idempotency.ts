import { commonErrors, Refusal } from '../errors.ts';
import type { Json } from '../json/json.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import type { AnyOperation, OperationContext } from './operation.ts';
import type { ParsedInput } from './parse-input.ts';
import { rateKeyOf } from './rate-key.ts';
import { requestDigest } from './request-digest.ts';
import type { OperationRequest, RequestState } from './request-state.ts';

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

export type Claimed =
  | { readonly kind: 'none' }
  | { readonly kind: 'claimed'; readonly claim: IdempotencyClaim }
  | { readonly kind: 'done'; readonly outcome: Json };

export async function claimIdempotency(
  { operation, runtime, call, now }: OperationRequest,
  keyHash: string | null,
  fields: RequestState['fields'],
): Promise<Claimed> {
  if (call.idempotencyKey === null || operation.replay === undefined) return { kind: 'none' };
  if (!IDEMPOTENCY_KEY.test(call.idempotencyKey)) {
    throw new Refusal(commonErrors.validation_failed, {
      fields: [{ message: 'Between 1 and 255 printable ASCII characters.', path: 'Idempotency-Key' }],
    });
  }
  const result = await runtime.idempotency.claim(
    {
      scope:
        operation.auth === 'operator'
          ? 'operator'
          : (keyHash ?? `anonymous ${rateKeyOf(call.clientAddress)}`),
      key: call.idempotencyKey,
      requestDigest: await requestDigest(operation.name, fields),
      token: runtime.ports.ids.uuid(),
    },
    now,
  );
  if (result.kind === 'other_request') throw new Refusal(commonErrors.idempotency_key_reused);
  if (result.kind === 'in_flight') {
    throw new Refusal(commonErrors.idempotency_in_flight, { retryAfterSeconds: 1 });
  }
  return result;
}

export async function replay(
  operation: AnyOperation,
  ctx: OperationContext,
  { outcome, input }: { readonly outcome: Json; readonly input: ParsedInput },
): Promise<object> {
  if (typeof operation.replay === 'function') return operation.replay(ctx, outcome, input);
  if (operation.replay === 'refused') throw new Refusal(commonErrors.idempotency_not_replayable);
  return outcome as object;
}
