import { commonErrors, Refusal } from '../errors.ts';
import type { RateDecision } from '../ports/rate-limiter.ts';
import type { Call, Limits, Runtime } from './call.ts';
import type { AnyOperation } from './operation.ts';
import { parse } from './parse-input.ts';
import { rateKeyOf } from './rate-key.ts';

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
  limits.rate = await runtime.ports.rateLimiter.take(operation.rate, rateKeyOf(call.clientAddress));
  return limits.rate.allowed ? refusal : tooMany(limits.rate, operation);
}

/** Counts a call for its caller: a key that is known to be good, or the address of one without a key. */
export async function count(
  operation: AnyOperation,
  { ports }: Pick<Runtime, 'ports'>,
  callerKey: string,
  limits: Limits,
): Promise<void> {
  limits.rate = await ports.rateLimiter.take(operation.rate, callerKey);
  if (!limits.rate.allowed) throw tooMany(limits.rate, operation);
}

/** Input that comes with a key which may be made up; if it is let through, `findCaller` says how that ended. */
export async function parseOfStranger(
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  fields: Record<string, unknown>,
  limits: Limits,
) {
  const { keys } = runtime.ports.rateLimiter;
  let input: ReturnType<typeof parse>;
  try {
    input = parse(operation, fields);
  } catch (unfit) {
    throw await counted(unfit, operation, runtime, call, limits);
  }
  const refused = keys.begin(rateKeyOf(call.clientAddress));
  if (refused === null) return input;
  limits.rate = refused;
  throw tooMany(refused, operation);
}

export function tooMany(rate: RateDecision, { movesMoney }: Pick<AnyOperation, 'movesMoney'>): Refusal {
  const { limit, windowSeconds, resetSeconds } = rate;
  const note = movesMoney ? ' This is not a payment failure.' : '';
  return new Refusal(commonErrors.rate_limited, {
    detail: `At most ${limit} requests in ${windowSeconds} seconds; wait ${resetSeconds} seconds.${note}`,
    retryAfterSeconds: rate.resetSeconds,
  });
}
