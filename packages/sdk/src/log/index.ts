/** Verifies what stands in the log of a marketplace, offline. */

export type { LogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
export type { LogPolicy } from '@agent-marketplace/protocol/log/log-policy.ts';
export type { FindingProof } from './finding-proof.ts';
export {
  type BelievedCheckpoint,
  believeCheckpoint,
  type LogFault,
  type LogInvalid,
  type LogVerification,
} from './log-verification.ts';
export { parseLogPolicy } from './parse-log-policy.ts';
export { type Leaf, readLeaves } from './read-leaves.ts';
export { createLogReader, type LogReader, LogUnavailableError } from './read-log.ts';
export { verifyConsistent } from './verify-consistent.ts';
export { type Logged, logEntryOf, verifyLogged } from './verify-logged.ts';
export { type OmissionEvidence, type Omitted, verifyOmitted } from './verify-omitted.ts';
