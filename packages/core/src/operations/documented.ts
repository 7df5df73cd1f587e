import type { AnyOperation } from '../kernel/operation/operation.ts';
import { apiOperations } from './api.ts';
import { ingressOperations } from './ingress.ts';
import { x402Operations } from './x402.ts';

/** The interface as a whole, whichever Worker serves a part of it: what documents describe. */
export const documentedOperations: readonly AnyOperation[] = [
  ...apiOperations,
  ...ingressOperations,
  ...x402Operations,
];
