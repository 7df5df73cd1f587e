import { commonErrors, Refusal } from '../errors.ts';
import type { Runtime } from './call.ts';
import type { RequestKey } from './charge-and-parse.ts';
import { isInScope, isWholeKey, neededScopes, wholeKeyMissing } from './key-scopes.ts';
import { chargeCaller, rateLimited } from './limit-rate.ts';
import {
  type AgentCaller,
  type AnyOperation,
  isOpenToSuspended,
  isPublicRead,
  type KeyLookup,
} from './operation.ts';
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
  if (found.kind === 'failed' || found.caller === null) return found;
  const failure = refusalFor(request.operation, found.caller);
  if (failure === null) return found;
  // Whoever may read without a key may read with one that is for something else.
  if (isPublicRead(request.operation)) return { ...found, caller: null };
  return { ...found, kind: 'failed', failure };
}

/** Why this caller may not call the operation; null: it may. The same for every transport. */
function refusalFor(operation: AnyOperation, caller: AgentCaller): Refusal | null {
  const { auth, scope, http, rate, whileErasing } = operation;
  const { scopes, isSeller, isSuspended, erasesAt } = caller;
  if (isSuspended && !isOpenToSuspended(operation)) return new Refusal(commonErrors.agent_suspended);
  const needed = neededScopes(scope ?? []).map((one) => `\`${one}\``);
  if (needed.length === 0 && !isWholeKey(caller)) return wholeKeyMissing(caller);
  if (!isInScope(scopes, scope)) {
    return new Refusal(commonErrors.scope_missing, {
      detail: `The key needs the scope ${[...needed, '`all`'].join(' or ')}. It has: ${scopes.join(', ')}.`,
    });
  }
  // A query over x402 is a GET that buys.
  const isRead = http.method === 'get' && rate !== 'x402';
  if (erasesAt !== null && !isRead && !whileErasing) {
    return new Refusal(commonErrors.account_erasing);
  }
  return auth !== 'seller' || isSeller ? null : new Refusal(commonErrors.not_a_seller);
}

const KEY_REFUSALS = {
  unknown: commonErrors.invalid_api_key,
  revoked: commonErrors.api_key_revoked,
  expired: commonErrors.api_key_expired,
} as const;

/** Looks the key up once more, which a request may have waited after. */
export async function requireValidKey({ findAgent, ports }: Runtime, keyHash: string | null): Promise<void> {
  if (keyHash === null) return;
  const found = await findAgent(keyHash, ports.clock.now());
  if (found.kind !== 'valid') throw new Refusal(KEY_REFUSALS[found.kind]);
}

async function findVerified(
  { operation, runtime, now }: OperationRequest,
  state: RequestState,
  keyHash: string,
): Promise<Stage<Found>> {
  try {
    const found = await runtime.findAgent(keyHash, now);
    if (found.kind === 'valid') return { ...state, kind: 'passed', caller: found.caller };
    runtime.ports.rateLimiter.keys.forget(keyHash);
    if (isPublicRead(operation)) return { ...state, kind: 'passed', caller: null };
    return { ...state, kind: 'failed', failure: new Refusal(KEY_REFUSALS[found.kind]) };
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
  const { operation, runtime, call, now } = request;
  const { keys } = runtime.ports.rateLimiter;
  const addressKey = rateKeyOf(call.clientAddress);
  let found: KeyLookup;
  try {
    found = await runtime.findAgent(keyHash, now);
  } catch (failure) {
    return { kind: 'failed', fields, rate: await keys.end(addressKey, keyHash, 'unknown'), failure };
  }
  const rate = await keys.end(addressKey, keyHash, found.kind === 'valid' ? found.caller : 'invalid');
  if (found.kind !== 'valid') {
    const isOverLimit = rate?.allowed === false;
    // Whoever may read without a key may read with a wrong one, at the price of a wrong one.
    if (!isOverLimit && isPublicRead(operation)) return { kind: 'passed', fields, rate, caller: null };
    const failure = isOverLimit ? rateLimited(rate, operation) : new Refusal(KEY_REFUSALS[found.kind]);
    return { kind: 'failed', fields, rate, failure };
  }
  const charged = await chargeCaller(request, fields, found.caller.agentId);
  return charged.kind === 'failed' ? charged : { ...charged, caller: found.caller };
}
