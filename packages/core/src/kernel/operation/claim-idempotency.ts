import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import { commonErrors, Refusal } from '../errors.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import type { AgentCaller, OperationContext } from './operation.ts';
import type { Operator } from './operators/operator.ts';
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
  { caller, operator }: { readonly caller: AgentCaller | null; readonly operator: Operator | null },
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
      // Each operator's own: nobody is answered with what another was.
      scope: operator?.id ?? caller?.idempotencyScope ?? `anonymous ${rateKeyOf(call.clientAddress)}`,
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

/**
 * Without an API key, whoever is on the caller's network and sends the same key and body is taken for the caller. A UUID
 * or 128 random bits have at least so many characters.
 */
const MIN_UNGUESSABLE = 22;

export async function replay(
  { operation, call }: Pick<OperationRequest, 'operation' | 'call'>,
  ctx: OperationContext,
  { outcome, input }: { readonly outcome: Json; readonly input: ParsedInput },
): Promise<object> {
  if (typeof operation.replay === 'function') return operation.replay(ctx, outcome, input);
  const isGuessable = ctx.caller === null && (call.idempotencyKey ?? '').length < MIN_UNGUESSABLE;
  if (operation.replay === 'stored_link' && isGuessable) {
    throw new Refusal(commonErrors.idempotency_not_replayable, {
      detail: `The answer has a link. Without an API key it is sent again only for an Idempotency-Key of at least ${MIN_UNGUESSABLE} random characters.`,
    });
  }
  if (operation.replay === 'refused') throw new Refusal(commonErrors.idempotency_not_replayable);
  return outcome as object;
}
