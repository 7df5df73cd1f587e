import {
  admit,
  getDoor,
  getIngressKeys,
  getIngressSchedule,
  getIngressVocabulary,
  getOccupancy,
  heartbeat,
} from '../ingress/index.ts';
import type { AnyOperation } from '../kernel/operation/operation.ts';

/** What the Worker of the ingress door serves. */
export const ingressOperations: readonly AnyOperation[] = [
  getDoor,
  getIngressVocabulary,
  getIngressSchedule,
  getIngressKeys,
  getOccupancy,
  admit,
  heartbeat,
];
