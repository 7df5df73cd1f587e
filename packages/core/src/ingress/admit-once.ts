import type { AdmissionAnswer, AdmissionRequest } from '../kernel/ports/ingress.ts';
import type { EpochMs } from '../kernel/time.ts';
import { type AdmissionRecord, decideAdmission, keptUntil, termsText } from './admission.rules.ts';
import type { Admission } from './admission-answer.ts';

/** The records of one object, in its own storage. */
export interface AdmissionRecords {
  find(requestId: string): AdmissionRecord | null;
  put(requestId: string, record: AdmissionRecord): void;
}

export type SessionAnswer =
  | ({ readonly kind: 'admitted' } & Admission)
  | { readonly kind: 'exhausted'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable' };

/** The objects that hold sessions, as seen from the one that holds records. Never throws. */
export interface SessionObjects {
  /** A repetition with the same requestId and terms gives the same session and takes no further capacity. */
  admit(request: AdmissionRequest): Promise<SessionAnswer>;
  /** When the session ended or will end; null if it is no longer stored. */
  endOf(sessionId: string): Promise<EpochMs | null | 'unavailable'>;
}

/**
 * Admits a requestId once. The answer is stored before it is sent: if storing it fails, nobody has seen it, and a retry
 * finds the same session and makes the answer anew.
 */
export async function admitOnce(
  request: AdmissionRequest,
  records: AdmissionRecords,
  sessions: SessionObjects,
  answerOf: (admission: Admission) => Promise<{ text: string; digest: string }>,
): Promise<AdmissionAnswer> {
  const { requestId, now } = request;
  const terms = termsText(request.terms);
  const record = await currentRecord(requestId, records, sessions, now);
  if (record === 'unavailable') return { kind: 'unavailable' };

  const decision = decideAdmission(record, terms, now);
  if (decision === 'conflict') return { kind: 'conflict' };
  if (decision === 'replay' && record !== null) return admitted(record, true);

  if (!request.isFresh) return { kind: 'stale' };
  const admission = await sessions.admit(request);
  if (admission.kind !== 'admitted') return admission;
  const { sessionId, expiresAt } = admission;
  const stored = {
    terms,
    sessionId,
    ...(await answerOf(admission)),
    keptUntil: keptUntil(expiresAt),
  };
  records.put(requestId, stored);
  return admitted(stored, false);
}

/** Heartbeats prolong a session without changing its record: where that seems over, the session is looked up. */
async function currentRecord(
  requestId: string,
  records: AdmissionRecords,
  sessions: SessionObjects,
  now: EpochMs,
): Promise<AdmissionRecord | null | 'unavailable'> {
  const record = records.find(requestId);
  if (record === null || record.keptUntil > now) return record;
  const end = await sessions.endOf(record.sessionId);
  if (end === 'unavailable') return end;
  if (end === null) return null;
  const prolonged = { ...record, keptUntil: keptUntil(end) };
  records.put(requestId, prolonged);
  return prolonged;
}

function admitted({ text, digest }: AdmissionRecord, replayed: boolean): AdmissionAnswer {
  return { kind: 'admitted', text, digest: digest as `sha256:${string}`, replayed };
}
