import { uncoveredInProvenance } from '@agent-marketplace/protocol/crypto/uncovered-members.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import type { KeySet } from '../keys.ts';
import { checkSeal, invalid, MAX_DEPTH, uncoveredFault, type Verification } from './verification.ts';

/**
 * Checks the provenance receipt of any JSON response, errors included. The order of its keys does not matter.
 *
 * `provenance.docs` is signed by nobody: take no address from it. A valid receipt proves that the marketplace said this at that time. It does not prove to whom, or in answer
 * to which request; the HTTP status is not signed, except as `status` in an error.
 *
 * @param response the body as text (preferred, since duplicate keys are detected) or parsed.
 * @returns with `body`, the response without `provenance`, if it is good.
 */
export async function verifyResponse(
  response: string | object,
  keys: KeySet,
): Promise<Verification<{ readonly body: JsonObject }>> {
  const parsed = typeof response === 'string' ? parse(response) : response;
  if (!isJsonObject(parsed)) return invalid('malformed', 'The response is not one JSON object.');
  const { provenance, ...body } = parsed;
  if (!isJsonObject(provenance) || !isJsonObject(provenance.receipt))
    return invalid('malformed', 'The response has no provenance receipt.');
  const checked = await checkSeal(provenance.receipt, body, keys);
  if (!checked.valid) return checked;
  return uncoveredFault(uncoveredInProvenance(provenance)) ?? { ...checked, body };
}

function parse(text: string): unknown {
  const parsed = parseStrictJson(text, { maxDepth: MAX_DEPTH });
  return parsed.ok ? parsed.value : undefined;
}
