import { testBindings as bindings, emptyStorage as empty } from '#test-bindings';
import type { TestBindings } from './test-bindings.ts';

/** In Node, D1 is SQLite in this process (bindings.node.ts); in workerd it is D1 (bindings.workerd.ts). */
export const testBindings: TestBindings = bindings;

/** Null: storage is emptied before each test file, and not in between. */
export const emptyStorage: (() => void) | null = empty;
