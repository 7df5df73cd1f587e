import type { z } from 'zod';
import type { AnyOperation } from '../kernel/operation/operation.ts';

/** How an operation's fields are called on one transport, both ways. */
export interface WireNames {
  toWire(field: string): string;
  toField(wireName: string): string;
  /** The wire name to send in place of the one that came, which `toField` gave as this field. */
  sentAs(field: string): string | undefined;
}

/** Before a field's name: it came by that name, where the field has another. No field's name begins so. */
const MISNAMED = ' ';

/**
 * A wire name that is not its field's own replaces it: where `priceCents` travels as `price_cents`, a
 * member `priceCents` is unknown. It is given as a name that no field has, so that it is refused.
 */
export function wireNames(names: Readonly<Record<string, string>> = {}): WireNames {
  const fieldOf = new Map(Object.entries(names).map(([field, wire]) => [wire, field]));
  // Own names only: a field that a caller calls `__proto__` or `constructor` is none of ours.
  const wireOf = (field: string) => (Object.hasOwn(names, field) ? names[field] : undefined);
  const sentAs = (field: string) =>
    field.startsWith(MISNAMED) ? wireOf(field.slice(MISNAMED.length)) : undefined;
  return {
    toWire: (field) => wireOf(field) ?? (sentAs(field) === undefined ? field : field.slice(MISNAMED.length)),
    toField: (wire) => fieldOf.get(wire) ?? (wireOf(wire) === undefined ? wire : MISNAMED + wire),
    sentAs,
  };
}

/** What a field takes, seen through optional, default and nullable. */
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
 * Text from a query string or path as the kind its field takes. What does not fit stays text, so that
 * the schema refuses it and names the field.
 */
export function coerceText(text: string, kind: FieldKind): unknown {
  if (kind === 'number' && DECIMAL.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
