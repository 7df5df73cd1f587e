import { commonErrors, Refusal } from '../errors.ts';
import type { RequestKey } from './charge-and-parse.ts';
import { chargeCaller, rateLimited } from './limit-rate.ts';
import { type AgentCaller, type AnyOperation, isPublicRead } from './operation.ts';
import { rateKeyOf } from './rate-key.ts';
import type { OperationRequest, RequestState, Stage } from './request-state.ts';

/** Longer than any key: a longer text need not be sent. */
export const API_KEY_MAX_LENGTH = 64;

/** Whether the operation depends on who calls. The others ignore a key that is sent with them. */
export function takesApiKey({ auth }: Pick<AnyOperation, 'auth'>): boolean {
  return auth !== 'none' && auth !== 'operator';
}

type Found = { readonly caller: AgentCaller | null };

export async function findCaller(
  request: OperationRequest,
  { fields, rate, keyHash, isUnverifiedKey }: RequestState & RequestKey,
): Promise<Stage<Found>> {
  const { auth } = request.operation;
  const state = { fields, rate };
  if (keyHash === null) {
    if (auth !== 'agent' && auth !== 'seller') return { ...state, kind: 'passed', caller: null };
    return { ...state, kind: 'failed', failure: new Refusal(commonErrors.missing_api_key) };
  }
  const found = await (isUnverifiedKey ? findUnverified : findVerified)(request, state, keyHash);
  if (found.kind === 'failed' || auth !== 'seller' || found.caller?.isSeller) return found;
  return { ...found, kind: 'failed', failure: new Refusal(commonErrors.not_a_seller) };
}

async function findVerified(
  { operation, runtime }: OperationRequest,
  state: RequestState,
  keyHash: string,
): Promise<Stage<Found>> {
  try {
    const caller = await runtime.findAgent(keyHash);
    if (caller !== null) return { ...state, kind: 'passed', caller };
    runtime.ports.rateLimiter.keys.forget(keyHash);
    if (isPublicRead(operation)) return { ...state, kind: 'passed', caller: null };
    return { ...state, kind: 'failed', failure: new Refusal(commonErrors.invalid_api_key) };
  } catch (failure) {
    return { ...state, kind: 'failed', failure };
  }
}

/** A wrong key is charged to the address: a guessed key has no limit of its own. */
async function findUnverified(
  request: OperationRequest,
  { fields }: RequestState,
  keyHash: string,
): Promise<Stage<Found>> {
  const { operation, runtime, call } = request;
  const { keys } = runtime.ports.rateLimiter;
  const addressKey = rateKeyOf(call.clientAddress);
  let caller: AgentCaller | null;
  try {
    caller = await runtime.findAgent(keyHash);
  } catch (failure) {
    return { kind: 'failed', fields, rate: keys.end(addressKey, keyHash, 'unknown'), failure };
  }
  const rate = keys.end(addressKey, keyHash, caller === null ? 'invalid' : 'valid');
  if (caller === null) {
    const isOverLimit = rate?.allowed === false;
    // Whoever may read without a key may read with a wrong one, at the price of a wrong one.
    if (!isOverLimit && isPublicRead(operation)) return { kind: 'passed', fields, rate, caller: null };
    const failure = isOverLimit ? rateLimited(rate, operation) : new Refusal(commonErrors.invalid_api_key);
    return { kind: 'failed', fields, rate, failure };
  }
  const charged = await chargeCaller(request, fields, keyHash);
  return charged.kind === 'failed' ? charged : { ...charged, caller };
}
