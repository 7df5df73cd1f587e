import Stripe from 'stripe';
import { CardProcessorError } from '../../kernel/ports/card-processor.ts';

export type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

function isStripeError(error: unknown): error is StripeError {
  return error instanceof Stripe.errors.StripeError;
}

/** Stripe refused the call, because of the request or the object's state. Nothing was done. */
export function isRefusal(error: unknown): error is StripeError {
  return isStripeError(error) && [400, 402, 403, 404].includes(error.statusCode ?? 0);
}

/** Stripe failed: the call may or may not have taken effect. */
export function isServerFailure(error: unknown): error is StripeError {
  return isStripeError(error) && (error.statusCode ?? 0) >= 500;
}

/** Runs one call and turns Stripe's errors into the port's error. */
export async function ask<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw cardProcessorError(what, error);
  }
}

/**
 * Stripe replays even a 500 under the same key, for a day. A call that the object's state prevents from taking
 * effect twice is repeated under a new key instead.
 */
export async function askStateGuarded<T>(key: string, call: (key: string) => Promise<T>): Promise<T> {
  try {
    return await call(key);
  } catch (error) {
    const replayed = isServerFailure(error) && error.headers?.['idempotent-replayed'] === 'true';
    if (!replayed) throw error;
    return call(`${key}:${error.requestId}`);
  }
}

/**
 * Keeps only Stripe's type and code. Its messages may quote a key and its error objects contain client secrets,
 * so neither is passed on, not even as the cause.
 */
function cardProcessorError(what: string, error: unknown): unknown {
  if (!isStripeError(error)) return error;
  const { type, code, param, statusCode, requestId } = error;
  const named = [type, code, param && `param ${param}`, statusCode, requestId].filter(Boolean).join(' ');
  return new CardProcessorError(`card processor: ${what}: ${named}`, isRetryable(error));
}

function isRetryable(error: StripeError): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true;
  if (error instanceof Stripe.errors.StripeRateLimitError) return true;
  // No status: the reply was not JSON. 409: a call under the same key is still in progress.
  const status = error.statusCode ?? 500;
  return status >= 500 || status === 409;
}
