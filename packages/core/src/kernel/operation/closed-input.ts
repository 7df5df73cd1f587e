import { z } from 'zod';

type Schema = z.core.$ZodType;

/** Where zod keeps the schemas that another is made of. */
const PARTS = ['element', 'in', 'innerType', 'keyType', 'left', 'out', 'rest', 'right', 'valueType'];
const LISTS = ['items', 'options'];

/**
 * The input with every object in it, however deep, closed: members that it does not know are refused by name,
 * never ignored, as a misspelt field would otherwise be taken for one that was left out. What is declared open
 * stays so: `z.looseObject`, a catchall, records, and JSON of any shape.
 */
export function closedInput<Shape extends z.ZodRawShape>(input: z.ZodObject<Shape>): z.ZodObject<Shape> {
  // At the root nothing is open: what travels there has a name on each transport.
  return closed(input.strict(), new Map());
}

/** `known` holds what was begun: schemas may contain themselves. */
function closed<S extends Schema>(schema: S, known: Map<Schema, Schema>): S {
  const before = known.get(schema);
  if (before !== undefined) return before as S;
  const changes = changesOf(schema, known);
  if (changes === null) return schema;
  const { def } = schema._zod;
  // Not spread: members of a definition may be getters, which zod calls when it first needs them.
  const result = z.core.clone(schema, z.core.util.mergeDefs(def, changes) as S['_zod']['def']);
  known.set(schema, result);
  const meta = z.globalRegistry.get(schema);
  if (meta !== undefined) z.globalRegistry.add(result, meta);
  return result;
}

/** What the definition of a closed schema has in place of this one's; null where nothing is in it. */
function changesOf(schema: Schema, known: Map<Schema, Schema>): object | null {
  const def = schema._zod.def as unknown as Record<string, unknown>;
  const changes: Record<string, unknown> = {};
  if (def.type === 'object') {
    changes.shape = closedShape(def.shape as z.ZodRawShape, known);
    changes.catchall = def.catchall === undefined ? z.never() : closed(def.catchall as Schema, known);
  }
  if (def.type === 'lazy') changes.getter = () => closed((def.getter as () => Schema)(), known);
  for (const part of PARTS) {
    if (isSchema(def[part])) changes[part] = closed(def[part], known);
  }
  for (const list of LISTS) {
    const parts = def[list];
    if (Array.isArray(parts)) changes[list] = parts.map((part: Schema) => closed(part, known));
  }
  return Object.keys(changes).length > 0 ? changes : null;
}

/** Members are looked at when zod first asks for them, when the object that may be in them is known. */
function closedShape(shape: z.ZodRawShape, known: Map<Schema, Schema>): z.ZodRawShape {
  const result: z.ZodRawShape = {};
  for (const [name, member] of Object.entries(shape)) {
    Object.defineProperty(result, name, { enumerable: true, get: () => closed(member, known) });
  }
  return result;
}

function isSchema(part: unknown): part is Schema {
  return typeof part === 'object' && part !== null && '_zod' in part;
}
