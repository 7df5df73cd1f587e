import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import * as z from 'zod';
import type { AnyOperation } from '../../kernel/operation/operation.ts';

/** As much of JSON Schema 2020-12 as operations are described with. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly maxProperties?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** Schemas that others refer to, by name. */
export type SchemaComponents = Record<string, JsonSchema>;

export const COMPONENTS = '#/components/schemas/';

/**
 * Whether schemas with an id of their own (`.meta({ id })`) are moved into `components` under that name and referred to,
 * or written out where they stand, for readers that see one operation only.
 */
export type NamedSchemas = 'referred' | 'inline';

/** What a caller sends, by the operation's own field names. */
export function inputSchema(
  operation: AnyOperation,
  components: SchemaComponents,
  named: NamedSchemas = 'inline',
): JsonSchema {
  return convert(operation.input, { io: 'input', name: `${typeName(operation)}Input`, named }, components);
}

/** What the operation answers, before `provenance` is added to it. */
export function outputSchema(
  operation: AnyOperation,
  components: SchemaComponents,
  named: NamedSchemas = 'inline',
): JsonSchema {
  return convert(operation.output, { io: 'output', name: `${typeName(operation)}Output`, named }, components);
}

/** What it answers in place of problems, if its refusals are statements of its own. */
export function refusalSchema(
  operation: AnyOperation,
  components: SchemaComponents,
  named: NamedSchemas = 'inline',
): JsonSchema | null {
  if (operation.refusals === undefined) return null;
  const options = { io: 'output', name: `${typeName(operation)}Refusal`, named } as const;
  return convert(operation.refusals.output, options, components);
}

/** `registerAgent` → `RegisterAgent`. */
export function typeName(operation: AnyOperation): string {
  return operation.name.charAt(0).toUpperCase() + operation.name.slice(1);
}

/** Zod's schema with what it refers to moved into `components`, where every document keeps such things. */
function convert(
  schema: z.ZodType,
  {
    io,
    name,
    named,
  }: { readonly io: 'input' | 'output'; readonly name: string; readonly named: NamedSchemas },
  components: SchemaComponents,
): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    metadata: named === 'referred' ? z.globalRegistry : withoutIds,
    override: (context) => tidy(context, io),
  });
  const { $defs = {}, ...root } = converted as JsonSchema;
  // Zod names recursive schemas itself; those names mean something only within this schema.
  const rename = (def: string) => {
    if (!def.startsWith('__')) return def;
    return shapeOf($defs[def], def) === JSON_SHAPE ? JSON_VALUE : name + def.replace('__schema', 'Part');
  };
  let refersToItself = false;
  const locate = (ref: string) => {
    if (ref === '#') refersToItself = true;
    return COMPONENTS + (ref === '#' ? name : rename(ref.slice('#/$defs/'.length)));
  };
  for (const [def, part] of Object.entries($defs)) {
    const relocated = relocate(part, locate);
    requireSame(components[rename(def)], relocated, rename(def));
    components[rename(def)] = relocated;
  }
  const relocated = relocate(root, locate);
  if (refersToItself) components[name] = relocated;
  return relocated;
}

/** All that is said of schemas but for their ids, by which zod would refer to them. */
const withoutIds = Object.assign(z.registry<z.core.GlobalMeta>(), {
  get(schema: z.core.$ZodType) {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  },
});

/** One name for two schemas would let the one that comes last stand for both. */
function requireSame(known: JsonSchema | undefined, schema: JsonSchema, name: string): void {
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two schemas are called ${name}; an input that differs from the output needs no name.`);
}

/** Free of the name that the schema happens to have. */
function shapeOf(schema: unknown, name: string): string {
  return JSON.stringify(schema).replaceAll(`"#/$defs/${name}"`, '"self"');
}

/** The name of `z.json()`. */
export const JSON_VALUE = 'JsonValue';

/** What `z.json()` becomes. Many operations take or give any JSON, and all of them mean the same. */
const JSON_SHAPE = (() => {
  const { $defs = {} } = z.toJSONSchema(z.object({ any: z.json() }), {
    override: (context) => tidy(context, 'input'),
  });
  const [[name, schema] = ['', {}]] = Object.entries($defs);
  return shapeOf(schema, name);
})();

function relocate(schema: JsonSchema, locate: (ref: string) => string): JsonSchema {
  const walk = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, ''));
    if (key === '$ref') return locate(String(value));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, name)]));
  };
  return walk(schema, '') as JsonSchema;
}

/** Leaves out what tells a reader nothing. */
function tidy(
  { zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema },
  io: 'input' | 'output',
): void {
  const { def } = zodSchema._zod;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The format says it; zod's expression for it is long.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (def.type === 'record' && isPlainString(jsonSchema.propertyNames)) delete jsonSchema.propertyNames;
  if (def.type !== 'object') return;
  // Answers may gain members: a reader has to let unknown ones pass.
  if (io === 'output' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if (def.catchall?._zod.def.type === 'unknown') jsonSchema.additionalProperties = true;
}

function isPlainString(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).join() === 'type';
}
