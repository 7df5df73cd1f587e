export { type AdmissionRecord, budgetOfShard, decideCapacity, keptUntil } from './admission.rules.ts';
export { admissionAnswer } from './admission-answer.ts';
export { admit } from './admit.ts';
export { type AdmissionRecords, admitOnce, type SessionAnswer, type SessionObjects } from './admit-once.ts';
export { type CountQuery, depthReading } from './depth.rules.ts';
export { getDoor } from './get-door.ts';
export { getIngressKeys } from './get-ingress-keys.ts';
export { getIngressSchedule } from './get-ingress-schedule.ts';
export { getIngressVocabulary } from './get-ingress-vocabulary.ts';
export { getOccupancy, readDepth } from './get-occupancy.ts';
export { heartbeat } from './heartbeat.ts';
export { depthReadingSchema, intentClass } from './ingress.schema.ts';
export { publishDoorKeys } from './publish-door-keys.ts';
export {
  ENDED_KEPT_MS,
  parseSessionId,
  type Session,
  type SessionPlace,
  sessionIdOf,
  shardOf,
} from './session.rules.ts';
export { type AdmittedSession, SessionBook } from './session-book.rules.ts';
export { SIGNS_INTERVAL_MS, type SignsRow } from './signs-of-life.rules.ts';
export { INTENT_CLASSES, type IntentClass, otherSide, type Side } from './vocabulary.rules.ts';
