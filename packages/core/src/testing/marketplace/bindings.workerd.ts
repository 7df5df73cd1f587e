import { env } from 'cloudflare:workers';
import type { TestBindings } from './test-bindings.ts';

export const testBindings = env as unknown as TestBindings;

export const emptyStorage = null;

export const copyStorage = null;
