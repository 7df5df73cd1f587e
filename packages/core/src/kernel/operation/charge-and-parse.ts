import { chargeAddress, chargeCaller, rateLimited } from './limit-rate.ts';
import { type Parsed, parseInput } from './parse-input.ts';
import { rateKeyOf } from './rate-key.ts';
import type { OperationRequest, RequestState, Stage } from './request-state.ts';

/** The API key of a request, by its hash. Unverified: this isolate has not found it in the database yet. */
export interface RequestKey {
  readonly keyHash: string | null;
  readonly isUnverifiedKey: boolean;
}

/** Counts the request, then checks its input: a flood of bad requests costs a counter and no parsing. */
export async function chargeAndParse(
  request: OperationRequest,
  { fields, keyHash, rate }: RequestState & { readonly keyHash: string | null },
): Promise<Stage<RequestKey & Parsed>> {
  const { operation, runtime, call } = request;
  // Only a verified key is counted for its agent: a made-up one would get a new limit with every request.
  const agentId = keyHash === null ? null : runtime.ports.rateLimiter.keys.agentOf(keyHash);
  if (keyHash !== null && agentId === null) {
    return parseUnverified(request, fields, keyHash);
  }
  // A large body was counted for its network before it was read.
  const charged =
    keyHash === null && rate !== null
      ? { kind: 'passed' as const, fields, rate }
      : await chargeCaller(request, fields, agentId ?? rateKeyOf(call.clientAddress));
  if (charged.kind === 'failed') return charged;
  try {
    return { ...charged, keyHash, isUnverifiedKey: false, ...parseInput(operation, fields) };
  } catch (failure) {
    return { ...charged, kind: 'failed', failure };
  }
}

/** The look-up of the key that begins here ends in `findCaller`. */
async function parseUnverified(
  request: OperationRequest,
  fields: RequestState['fields'],
  keyHash: string,
): Promise<Stage<RequestKey & Parsed>> {
  const { operation, runtime, call } = request;
  let parsed: Parsed;
  try {
    parsed = parseInput(operation, fields);
  } catch (failure) {
    return chargeAddress(request, fields, failure);
  }
  const rate = runtime.ports.rateLimiter.keys.begin(rateKeyOf(call.clientAddress));
  if (rate !== null) return { kind: 'failed', fields, rate, failure: rateLimited(rate, operation) };
  return { kind: 'passed', fields, rate, keyHash, isUnverifiedKey: true, ...parsed };
}
