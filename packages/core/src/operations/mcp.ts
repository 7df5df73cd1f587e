import type { AnyOperation } from '../kernel/operation/operation.ts';
import { apiOperations } from './api.ts';

/** The operations that are tools. One that gains an `mcp` binding becomes a tool here by itself. */
export const mcpOperations: readonly AnyOperation[] = apiOperations.filter(({ mcp }) => mcp !== undefined);
