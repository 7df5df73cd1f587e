import type * as z from 'zod';

/**
 * The fields with a fixed set of values. Forms send `?class=` where nothing was chosen, so an empty text in such a
 * field counts as not sent. In other fields it is the value.
 */
export function choicesOf({ input }: { readonly input: z.ZodObject }): ReadonlySet<string> {
  const shape = input.shape as Record<string, z.core.$ZodType>;
  return new Set(Object.keys(shape).filter((field) => shape[field] && isChoice(shape[field])));
}

function isChoice(schema: z.core.$ZodType): boolean {
  const { def } = schema._zod as { def: { type: string; innerType?: z.core.$ZodType } };
  return def.innerType ? isChoice(def.innerType) : def.type === 'enum' || def.type === 'literal';
}
