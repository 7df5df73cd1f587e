import { isJsonObject, type Json } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import type { LogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { type LogPolicy, parseLogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
import { type EntryVerdict, verifyEntry } from '@agent-marketplace/protocol/log/verify-entry.ts';
import { type Finding, MAX_DEPTH } from './examine.ts';

const TITLE = 'Entry of the log';

/**
 * Checks offline that a pasted statement stands in the transparency log.
 *
 * @param proof the text of `GET /log/proofs/{digest}`.
 * @param policyText whom the reader believes (c2sp.org/tlog-policy).
 * @returns null if there is neither.
 */
export async function examineInLog(text: string, proof: string, policyText: string): Promise<Finding | null> {
  if (proof.trim() === '' && policyText.trim() === '') return null;
  let policy: LogPolicy;
  try {
    policy = await parseLogPolicy(lines(policyText));
  } catch (error) {
    return fault(`The policy cannot be read: ${error instanceof Error ? error.message : 'it is malformed'}.`);
  }
  const parsed = parseStrictJson(text.trim(), { maxDepth: MAX_DEPTH });
  const entry = parsed.ok ? entryIn(parsed.value) : null;
  if (entry === null) return fault('A statement with its signature is what stands in the log.');
  // It rejects only where the browser has no Ed25519.
  const verdict = await verifyEntry(entry, lines(proof), policy).catch(() => null);
  if (verdict === null) return fault('This browser cannot check the signatures of a log.');
  if (!verdict.valid) return fault(FAULTS[verdict.reason], [['Reason', verdict.reason.replaceAll('_', ' ')]]);
  const { index, checkpoint, cosigned } = verdict;
  return {
    title: TITLE,
    isValid: true,
    message: 'This statement stands in the log, at this place of a checkpoint that your policy believes.',
    facts: [
      ['Log', checkpoint.origin],
      ['Entry', `${index} of ${checkpoint.size}`],
      ...cosigned.map(
        ({ name, seconds }) => [`Cosigned by ${name}`, new Date(seconds * 1000).toISOString()] as const,
      ),
    ],
  };
}

const fault = (message: string, facts: Finding['facts'] = []): Finding => ({
  title: TITLE,
  isValid: false,
  message,
  facts,
});

/** A form sends line breaks as CRLF and a field may lack the last one; both formats have LF alone, at the end as well. */
const lines = (text: string) => `${text.replaceAll('\r\n', '\n').trim()}\n`;

/** The entry of the statement, or of the receipt or attestation of what was pasted. Its digest is checked beside this. */
function entryIn(value: Json): LogEntry | null {
  if (!isJsonObject(value)) return null;
  const signed = 'statement' in value ? value : (value.receipt ?? value.attestation ?? null);
  if (!isJsonObject(signed) || !isJsonObject(signed.statement)) return null;
  const { type } = signed.statement;
  const { digest, keyId, signedAt } = signed;
  const hasMembers = [type, digest, keyId, signedAt].every((member) => typeof member === 'string');
  return hasMembers ? ({ type, digest, keyId, signedAt } as LogEntry) : null;
}

const FAULTS: Readonly<Record<Extract<EntryVerdict, { valid: false }>['reason'], string>> = {
  malformed_proof: 'The proof is not what the log answers.',
  not_included: 'The proof does not lead from this statement to the checkpoint.',
  malformed: 'The checkpoint in the proof is malformed.',
  unknown_log: 'Your policy names no log of this name.',
  log_signature: 'The checkpoint is not signed by the log of your policy.',
  cosignature: 'A cosignature of a witness of your policy does not verify.',
  quorum: 'Too few witnesses of your policy cosigned the checkpoint.',
};
