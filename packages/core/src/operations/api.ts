import { getAgent, getOwnAgent, listAgents, registerAgent } from '../agents/index.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { getSigningKey, verifyReceipt } from '../provenance/index.ts';

/** What the public API Worker serves. Adding an operation is one file and one line here. */
export const apiOperations: readonly AnyOperation[] = [
  registerAgent,
  listAgents,
  getOwnAgent,
  getAgent,
  getSigningKey,
  verifyReceipt,
];
