import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { commonErrors, Refusal } from '../errors.ts';
import { takesApiKey } from './find-caller.ts';
import { chargeAddress, chargeCaller } from './limit-rate.ts';
import { requireOperator } from './operators/find-operator.ts';
import { rateKeyOf } from './rate-key.ts';
import type { OperationRequest, Stage } from './request-state.ts';

/**
 * A large body counts for its network, with its bytes, before it is read: what is stored of it stays for a while whatever
 * becomes of the request, and a key is not verified yet.
 */
async function chargeUpload(request: OperationRequest): Promise<Stage<object>> {
  const { operation, runtime, call, now } = request;
  if (!call.upload) return { kind: 'passed', fields: {}, rate: null };
  const network = rateKeyOf(call.clientAddress);
  const charged = await chargeCaller(request, {}, network);
  if (charged.kind === 'failed') return charged;
  if (operation.auth === 'operator') {
    // Files are stored as they are read: only for operators.
    return requireOperator(request).then(
      () => charged,
      (failure: unknown) => ({ ...charged, kind: 'failed', failure }),
    );
  }
  if (runtime.quotas === null) return charged;
  const holder = { kind: 'network', network } as const;
  try {
    const counted = runtime.quotas.charge(holder, 'attachment', [], now, call.upload.maxFileBytes);
    await runtime.ports.market.commit(counted);
    return charged;
  } catch (failure) {
    return { ...charged, kind: 'failed', failure };
  }
}

/** Reads the input and the API key. Input that cannot be read does not show who sent it: its address is charged. */
export async function readAndCharge(
  request: OperationRequest,
): Promise<Stage<{ keyHash: string | null; apiKey: string | null }>> {
  const { operation, call } = request;
  // Refused before anything is read: others do not learn the input, and guesses of the secret are charged.
  if (operation.auth === 'operator' && call.credential === null) {
    return chargeAddress(request, {}, new Refusal(commonErrors.admin_required));
  }
  const charged = await chargeUpload(request);
  if (charged.kind === 'failed') return charged;
  const { rate } = charged;
  let input: Awaited<ReturnType<typeof call.readInput>>;
  try {
    input = await call.readInput();
  } catch (unreadable) {
    if (rate !== null) return { kind: 'failed', fields: {}, rate, failure: unreadable };
    return chargeAddress(request, {}, unreadable);
  }
  const { fields, apiKeys } = input;
  const state = { fields, rate };
  const [apiKey] = apiKeys;
  if (new Set(apiKeys).size > 1) {
    return { ...state, kind: 'failed', failure: new Refusal(commonErrors.conflicting_api_keys) };
  }
  const keyHash = apiKey !== undefined && takesApiKey(operation) ? await sha256Hex(apiKey) : null;
  return { ...state, kind: 'passed', keyHash, apiKey: apiKey ?? null };
}
