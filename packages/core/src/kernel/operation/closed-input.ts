import * as z from 'zod';

type Schema = z.core.$ZodType;

/** The members of a zod definition that hold inner schemas. */
const PARTS = ['element', 'in', 'innerType', 'keyType', 'left', 'out', 'rest', 'right', 'valueType'];
const LISTS = ['items', 'options'];

/**
 * Closes every object in an input, at any depth: unknown members are refused by name. If they were ignored, a misspelt
 * field would count as left out. What is declared open stays open: `z.looseObject`, a catchall, records, any JSON.
 */
export function closedInput<Shape extends z.ZodRawShape>(input: z.ZodObject<Shape>): z.ZodObject<Shape> {
  // The root is always closed: every field in it has a name on each transport.
  return closeSchema(input.strict(), new Map());
}

/** `known` holds the schemas already visited, since a schema may contain itself. */
function closeSchema<S extends Schema>(schema: S, known: Map<Schema, Schema>): S {
  const before = known.get(schema);
  if (before !== undefined) return before as S;
  const changes = changesOf(schema, known);
  if (changes === null) return schema;
  const { def } = schema._zod;
  // Not spread: members may be getters, which zod must call later. Not `z.core`: a bundle would hold all of it.
  const result = z.clone(schema, z.util.mergeDefs(def, changes) as S['_zod']['def']);
  known.set(schema, result);
  const meta = z.globalRegistry.get(schema);
  if (meta !== undefined) z.globalRegistry.add(result, meta);
  return result;
}

/** The members that the closed definition replaces; null if the schema contains no other schema. */
function changesOf(schema: Schema, known: Map<Schema, Schema>): object | null {
  const def = schema._zod.def as unknown as Record<string, unknown>;
  const changes: Record<string, unknown> = {};
  if (def.type === 'object') {
    changes.shape = closeShape(def.shape as z.ZodRawShape, known);
    changes.catchall = def.catchall === undefined ? z.never() : closeSchema(def.catchall as Schema, known);
  }
  if (def.type === 'lazy') changes.getter = () => closeSchema((def.getter as () => Schema)(), known);
  for (const part of PARTS) {
    if (isSchema(def[part])) changes[part] = closeSchema(def[part], known);
  }
  for (const list of LISTS) {
    const parts = def[list];
    if (Array.isArray(parts)) changes[list] = parts.map((part: Schema) => closeSchema(part, known));
  }
  return Object.keys(changes).length > 0 ? changes : null;
}

/** Closes members lazily, when zod first reads them: they may refer to the object itself. */
function closeShape(shape: z.ZodRawShape, known: Map<Schema, Schema>): z.ZodRawShape {
  const result: z.ZodRawShape = {};
  for (const [name, member] of Object.entries(shape)) {
    Object.defineProperty(result, name, { enumerable: true, get: () => closeSchema(member, known) });
  }
  return result;
}

function isSchema(part: unknown): part is Schema {
  return typeof part === 'object' && part !== null && '_zod' in part;
}
