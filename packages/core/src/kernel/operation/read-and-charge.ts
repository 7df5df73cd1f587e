import { sha256Hex } from '../crypto/digest.ts';
import { commonErrors, Refusal } from '../errors.ts';
import { takesApiKey } from './find-caller.ts';
import { chargeAddress } from './limit-rate.ts';
import type { OperationRequest, Stage } from './request-state.ts';

/** Reads the input and the API key. Input that cannot be read does not show who sent it: its address is charged. */
export async function readAndCharge(request: OperationRequest): Promise<Stage<{ keyHash: string | null }>> {
  const { operation, call } = request;
  // Refused before anything is read: others do not learn the input, and guesses of the secret are charged.
  if (operation.auth === 'operator' && call.operator === null) {
    return chargeAddress(request, {}, new Refusal(commonErrors.admin_required));
  }
  let input: Awaited<ReturnType<typeof call.readInput>>;
  try {
    input = await call.readInput();
  } catch (unreadable) {
    return chargeAddress(request, {}, unreadable);
  }
  const { fields, apiKeys } = input;
  const state = { fields, rate: null };
  const [apiKey] = apiKeys;
  if (new Set(apiKeys).size > 1) {
    return { ...state, kind: 'failed', failure: new Refusal(commonErrors.conflicting_api_keys) };
  }
  const keyHash = apiKey !== undefined && takesApiKey(operation) ? await sha256Hex(apiKey) : null;
  return { ...state, kind: 'passed', keyHash };
}
