import Stripe from 'stripe';
import { CardProcessorError } from '../../kernel/ports/card-processor.ts';

export type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

function isStripeError(error: unknown): error is StripeError {
  return error instanceof Stripe.errors.StripeError;
}

/** Stripe answered that it did not do it, for a reason that lies in the request or in the object's state. */
export function isRefusal(error: unknown): error is StripeError {
  return isStripeError(error) && [400, 402, 403, 404].includes(error.statusCode ?? 0);
}

/** Stripe itself failed: it may or may not have done it. */
export function isServerFailure(error: unknown): error is StripeError {
  return isStripeError(error) && (error.statusCode ?? 0) >= 500;
}

/** Runs one call; whatever it throws comes out as the port's error. */
export async function ask<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw cardProcessorError(what, error);
  }
}

/**
 * A key replays even a 500, for a day. Where the object's state keeps a call from taking effect twice, it
 * can be asked again under a new key instead of waiting for that.
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
 * Names what went wrong by Stripe's type and code only. Its messages may quote a key, and its error objects
 * carry client secrets, so neither travels on, not even as the cause.
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
  // Without a status the reply was no JSON; 409 is a call under the same key that has not ended.
  const status = error.statusCode ?? 500;
  return status >= 500 || status === 409;
}
