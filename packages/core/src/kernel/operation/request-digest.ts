import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';

/** A longer text is replaced by its digest: several copies of a body of 30 MB would not fit into an isolate. */
const LONG_CHARACTERS = 64 * 1024;

/** Equal for two requests exactly if they are the same operation with the same fields. */
export async function requestDigest(operation: string, fields: unknown): Promise<string> {
  return sha256Hex(`${operation} ${canonicalJson(await condense(fields))}`);
}

async function condense(value: unknown): Promise<unknown> {
  if (typeof value === 'string') {
    return value.length < LONG_CHARACTERS ? value : { length: value.length, sha256: await sha256Hex(value) };
  }
  if (!isLarge(value)) return value;
  if (Array.isArray(value)) {
    const parts: unknown[] = [];
    for (const part of value) parts.push(await condense(part));
    return parts;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value as object)) members.push([name, await condense(member)]);
  return Object.fromEntries(members);
}

/** Whether the value contains a long text. Nearly always it does not, and nothing is copied. */
function isLarge(value: unknown): boolean {
  if (typeof value === 'string') return value.length >= LONG_CHARACTERS;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isLarge);
}
