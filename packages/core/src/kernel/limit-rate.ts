import type { Call, Limits, Runtime } from './call.ts';
import { commonErrors, Refusal } from './errors.ts';
import type { AnyOperation } from './operation.ts';
import type { RateDecision } from './ports.ts';

/** Input that cannot even be read says nothing of its caller: it counts against the address. */
export async function readCounted(operation: AnyOperation, runtime: Runtime, call: Call, limits: Limits) {
  try {
    return await call.readInput();
  } catch (unreadable) {
    throw await counted(unreadable, operation, runtime, call, limits);
  }
}

/** A refusal before the caller is known, counted against the address; another one where there were too many. */
export async function counted(
  refusal: unknown,
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  limits: Limits,
): Promise<unknown> {
  limits.rate = await runtime.ports.rateLimiter.take(operation.rate, call.clientAddress);
  return limits.rate.allowed ? refusal : tooMany(limits.rate, operation);
}

export function tooMany(rate: RateDecision, { movesMoney }: Pick<AnyOperation, 'movesMoney'>): Refusal {
  const { limit, windowSeconds, resetSeconds } = rate;
  const note = movesMoney ? ' This is not a payment failure.' : '';
  return new Refusal(commonErrors.rate_limited, {
    detail: `At most ${limit} requests in ${windowSeconds} seconds; wait ${resetSeconds} seconds.${note}`,
    retryAfterSeconds: rate.resetSeconds,
  });
}
