import type { Call, Runtime } from './call.ts';
import { commonErrors, Refusal } from './errors.ts';
import { tooMany } from './limit-rate.ts';
import type { AgentCaller, AnyOperation } from './operation.ts';

export function oneKey(apiKeys: readonly string[]): string | null {
  const distinct = new Set(apiKeys);
  if (distinct.size > 1) throw new Refusal(commonErrors.conflicting_api_keys);
  return apiKeys[0] ?? null;
}

export async function findCaller(
  operation: AnyOperation,
  runtime: Runtime,
  call: Call,
  keyHash: string | null,
): Promise<AgentCaller | null> {
  if (operation.auth === 'none') return null;
  if (keyHash === null) {
    if (operation.auth === 'optional') return null;
    throw new Refusal(commonErrors.missing_api_key);
  }
  const caller = await runtime.findAgent(keyHash);
  if (caller === null) {
    // Guessing keys would otherwise get a fresh allowance with each guess.
    const rate = await runtime.ports.rateLimiter.take('write', call.clientAddress);
    throw rate.allowed ? new Refusal(commonErrors.invalid_api_key) : tooMany(rate, operation);
  }
  if (operation.auth === 'seller' && !caller.isSeller) throw new Refusal(commonErrors.not_a_seller);
  return caller;
}
