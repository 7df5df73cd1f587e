import type { Hono } from 'hono';
import type { AnyOperation } from '../../kernel/operation.ts';
import type { HttpEnv } from './mount.ts';

export function mountDocuments(
  _app: Hono<HttpEnv>,
  _operations: readonly AnyOperation[],
  _root: string,
): void {}
