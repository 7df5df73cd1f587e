import { env } from 'cloudflare:workers';
import type { TestBindings } from './workers-bindings.ts';

export const testBindings = env as unknown as TestBindings;
