import { ACCOUNTS } from './accounts.data.ts';
import type { HeldTable } from './held-table.ts';
import { MONEY } from './money.data.ts';
import { SERVICE } from './service.data.ts';
import { TRADE } from './trade.data.ts';

/**
 * Every table of both databases with every column: what it holds, whose it is, how long it is kept and what an erasure
 * does with it. Export and erasure follow it. A table or column that is missing fails `held-data.test.ts`.
 */
export const HELD_DATA: readonly HeldTable[] = [...ACCOUNTS, ...TRADE, ...MONEY, ...SERVICE];
