import { testBindings as bindings, copyStorage as copy, emptyStorage as empty } from '#test-bindings';
import type { TestBindings } from './test-bindings.ts';

/** In Node, D1 is SQLite in this process (bindings.node.ts); in workerd it is D1 (bindings.workerd.ts). */
export const testBindings: TestBindings = bindings;

/** Null: storage is emptied before each test file, and not in between. */
export const emptyStorage: (() => void) | null = empty;

/** Null: D1 gives no copy of itself. */
export const copyStorage: (() => () => D1Database[]) | null = copy;
