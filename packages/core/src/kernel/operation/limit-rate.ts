import { commonErrors, Refusal } from '../errors.ts';
import type { RateDecision } from '../ports/rate-limiter.ts';
import type { AnyOperation } from './operation.ts';
import { rateKeyOf } from './rate-key.ts';
import type { OperationRequest, RequestState, Stage } from './request-state.ts';

/** A failure before the caller is known is charged to the address; over the limit, that is the failure instead. */
export async function chargeAddress(
  { operation, runtime, call }: OperationRequest,
  fields: RequestState['fields'],
  failure: unknown,
): Promise<Stage<never>> {
  const rate = await runtime.ports.rateLimiter.take(operation.rate, rateKeyOf(call.clientAddress));
  return { kind: 'failed', fields, rate, failure: rate.allowed ? failure : rateLimited(rate, operation) };
}

/** `callerKey` is the id of the agent of a verified API key, or the address of a caller without one. */
export async function chargeCaller(
  { operation, runtime }: OperationRequest,
  fields: RequestState['fields'],
  callerKey: string,
): Promise<Stage<object>> {
  const rate = await runtime.ports.rateLimiter.take(operation.rate, callerKey);
  if (rate.allowed) return { kind: 'passed', fields, rate };
  return { kind: 'failed', fields, rate, failure: rateLimited(rate, operation) };
}

export function rateLimited(rate: RateDecision, { movesMoney }: Pick<AnyOperation, 'movesMoney'>): Refusal {
  const { limit, windowSeconds, resetSeconds } = rate;
  const note = movesMoney ? ' This is not a payment failure.' : '';
  return new Refusal(commonErrors.rate_limited, {
    detail: `At most ${limit} requests in ${windowSeconds} seconds; wait ${resetSeconds} seconds.${note}`,
    retryAfterSeconds: rate.resetSeconds,
  });
}
