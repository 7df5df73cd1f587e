import type { z } from 'zod';
import type { AnyOperation } from '../kernel/operation/operation.ts';

/** The names of an operation's fields on one transport. */
export interface WireNames {
  toWire(field: string): string;
  toField(wireName: string): string;
  /** The wire name to send instead, where `toField` gave this for a field's own name that is not its wire name. */
  correctName(field: string): string | undefined;
}

/** Marks a wire name that is no field's, so that it is never taken for the field of the same name. */
const UNKNOWN = 'unknown:';

/** Where `priceCents` travels as `price_cents`, a member `priceCents` is unknown and must be refused. */
export function wireNames(
  names: Readonly<Record<string, string>> = {},
  aliases: Readonly<Record<string, string>> = {},
): WireNames {
  const fieldOf = new Map(Object.entries(aliases));
  for (const [field, wire] of Object.entries(names)) fieldOf.set(wire, field);
  // Own members only: a caller may send a member named `__proto__` or `constructor`.
  const wireOf = (field: string) => (Object.hasOwn(names, field) ? names[field] : undefined);
  const unmarked = (field: string) => (field.startsWith(UNKNOWN) ? field.slice(UNKNOWN.length) : null);
  return {
    toWire: (field) => wireOf(field) ?? unmarked(field) ?? field,
    toField(wire) {
      const isUnknown = wireOf(wire) !== undefined || unmarked(wire) !== null;
      return fieldOf.get(wire) ?? (isUnknown ? UNKNOWN + wire : wire);
    },
    correctName: (field) => wireOf(unmarked(field) ?? ''),
  };
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
