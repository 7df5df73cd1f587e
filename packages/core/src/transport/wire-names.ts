import type * as z from 'zod';
import type { AnyOperation } from '../kernel/operation/operation.ts';

/** The names of an operation's fields on one transport. */
export interface WireNames {
  toWire(field: string): string;
  toField(wireName: string): string;
}

/**
 * A field is taken by its name on the transport, by its own and in snake_case: the specification has `priceCents` in
 * one table and `price_cents` in another, and a client may have read either.
 */
export function wireNames(
  { input }: Pick<AnyOperation, 'input'>,
  names: Readonly<Record<string, string>> = {},
): WireNames {
  const wireOf = new Map(Object.entries(names));
  const fieldOf = new Map<string, string>();
  for (const field of Object.keys(input.shape)) {
    for (const spelling of [snakeCase(field), field]) fieldOf.set(spelling, field);
  }
  for (const [field, wire] of wireOf) fieldOf.set(wire, field);
  return {
    toWire: (field) => wireOf.get(field) ?? field,
    toField: (wire) => fieldOf.get(wire) ?? wire,
  };
}

/** `priceCents` → `price_cents`. */
export function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The type of a field, without optional, default and nullable. */
export type FieldKind = 'string' | 'number' | 'boolean' | 'other';

export function fieldKinds(operation: AnyOperation): ReadonlyMap<string, FieldKind> {
  const shape = operation.input.shape as Record<string, z.core.$ZodType>;
  return new Map(Object.entries(shape).map(([field, schema]) => [field, kindOf(schema)]));
}

function kindOf(schema: z.core.$ZodType): FieldKind {
  const { def } = schema._zod as { def: { type: string; innerType?: z.core.$ZodType; in?: z.core.$ZodType } };
  if (def.innerType) return kindOf(def.innerType);
  if (def.type === 'pipe' && def.in) return kindOf(def.in);
  if (def.type === 'number' || def.type === 'int') return 'number';
  if (def.type === 'boolean') return 'boolean';
  if (def.type === 'string' || def.type === 'enum' || def.type === 'literal') return 'string';
  return 'other';
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Converts text of a query string or path to the type of its field. Text that does not fit stays text, so that
 * the schema refuses it by its field.
 */
export function coerceText(text: string, kind: FieldKind): unknown {
  if (kind === 'number' && DECIMAL.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
