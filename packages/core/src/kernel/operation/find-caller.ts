import { commonErrors, Refusal } from '../errors.ts';
import type { Call, Limits, Runtime } from './call.ts';
import { count, counted, tooMany } from './limit-rate.ts';
import type { AgentCaller, AnyOperation } from './operation.ts';
import { rateKeyOf } from './rate-key.ts';

/** Longer than any key: a longer text need not be sent. */
export const API_KEY_MAX_LENGTH = 64;

/** Whether it matters who calls; a key that comes with other operations is left alone. */
export function takesApiKey({ auth }: Pick<AnyOperation, 'auth'>): boolean {
  return auth !== 'none' && auth !== 'operator';
}

export function oneKey(apiKeys: readonly string[]): string | null {
  const distinct = new Set(apiKeys);
  if (distinct.size > 1) throw new Refusal(commonErrors.conflicting_api_keys);
  return apiKeys[0] ?? null;
}

/**
 * What is the operator's alone is refused to others before anything of the request is read: they do not learn
 * what the operation takes, and guesses of the secret count against their address.
 */
export async function requireOperator(
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  limits: Limits,
): Promise<void> {
  if (operation.auth !== 'operator' || call.isOperator) return;
  throw await counted(new Refusal(commonErrors.admin_required), operation, runtime, call, limits);
}

export async function findCaller(
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  { keyHash, isStranger }: { readonly keyHash: string | null; readonly isStranger: boolean },
  limits: Limits,
): Promise<AgentCaller | null> {
  if (!takesApiKey(operation)) return null;
  if (keyHash === null) {
    if (operation.auth === 'optional') return null;
    throw new Refusal(commonErrors.missing_api_key);
  }
  const caller = isStranger
    ? await findStranger(runtime, keyHash, call, limits)
    : await runtime.findAgent(keyHash);
  if (caller === null) {
    if (!isStranger) runtime.ports.rateLimiter.keys.forget(keyHash);
    const { rate } = limits;
    throw rate?.allowed === false ? tooMany(rate, operation) : new Refusal(commonErrors.invalid_api_key);
  }
  if (isStranger) await count(operation, runtime, keyHash, limits);
  if (operation.auth === 'seller' && !caller.isSeller) throw new Refusal(commonErrors.not_a_seller);
  return caller;
}

/** Guessed keys count against their address, where none of them would have an allowance of its own. */
async function findStranger(
  { findAgent, ports }: Runtime,
  keyHash: string,
  call: Call,
  limits: Limits,
): Promise<AgentCaller | null> {
  const { keys } = ports.rateLimiter;
  const addressKey = rateKeyOf(call.clientAddress);
  let outcome: 'good' | 'bad' | 'unheard' = 'unheard';
  try {
    const caller = await findAgent(keyHash);
    outcome = caller === null ? 'bad' : 'good';
    return caller;
  } finally {
    limits.rate = keys.end(addressKey, keyHash, outcome);
  }
}
