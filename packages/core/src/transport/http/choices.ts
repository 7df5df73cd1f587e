import type { z } from 'zod';
import type { AnyOperation } from '../../kernel/operation/operation.ts';

/**
 * The fields that take one of a few words. Forms and clients write `?class=` where nothing was chosen: an empty one
 * is no choice, and as if it were not there. Of other kinds, an empty text is what was sent.
 */
export function choicesOf(operation: AnyOperation): ReadonlySet<string> {
  const shape = operation.input.shape as Record<string, z.core.$ZodType>;
  return new Set(Object.keys(shape).filter((field) => shape[field] && isChoice(shape[field])));
}

function isChoice(schema: z.core.$ZodType): boolean {
  const { def } = schema._zod as { def: { type: string; innerType?: z.core.$ZodType } };
  return def.innerType ? isChoice(def.innerType) : def.type === 'enum' || def.type === 'literal';
}
