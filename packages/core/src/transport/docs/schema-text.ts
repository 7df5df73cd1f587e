import { COMPONENTS, type JsonSchema, type SchemaComponents } from '../openapi/json-schema.ts';

/** One line of a table of fields; nested ones have dotted names. */
export interface FieldRow {
  readonly name: string;
  readonly type: string;
  readonly rules: string;
  readonly required: boolean;
  readonly description: string;
}

const MAX_DEPTH = 6;

/** The members of a schema, nested ones after the member that holds them. */
export function fieldRows(
  schema: JsonSchema,
  components: SchemaComponents,
  prefix = '',
  depth = 0,
): FieldRow[] {
  if (depth > MAX_DEPTH) return [];
  const branches = variantsOf(schema);
  const rows = branches.map((branch) => memberRows(branch, components, prefix, depth));
  const names = new Set(rows.flat().map(({ name }) => name));
  // A member is required only if every variant requires it.
  return [...names].flatMap((name) => {
    const found = rows.flatMap((ofBranch) => ofBranch.find((row) => row.name === name) ?? []);
    const [first] = found;
    if (first === undefined) return [];
    const type = [...new Set(found.map((row) => row.type))].join(' or ');
    const rules = [...new Set(found.map((row) => row.rules))].filter(Boolean).join('; or ');
    const required = found.length === rows.length && found.every((row) => row.required);
    return [{ ...first, type, rules, required }];
  });
}

function memberRows(
  schema: JsonSchema,
  components: SchemaComponents,
  prefix: string,
  depth: number,
): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix + name;
    const required = schema.required?.includes(name) ?? false;
    return [fieldRow(path, member, required), ...nestedRows(member, components, path, depth)];
  });
}

/** The members below a member. Recursive schemas live in `components` and are left at their name. */
export function nestedRows(
  schema: JsonSchema,
  components: SchemaComponents,
  path: string,
  depth = 0,
): FieldRow[] {
  return variantsOf(schema).flatMap((variant) => {
    if (variant.$ref !== undefined) return [];
    if (typeof variant.items === 'object')
      return nestedRows(variant.items, components, `${path}[]`, depth + 1);
    if (variant.properties === undefined) return [];
    return fieldRows(variant, components, `${path}.`, depth + 1);
  });
}

export function fieldRow(name: string, schema: JsonSchema, required: boolean): FieldRow {
  return {
    name,
    type: typeText(schema),
    rules: rulesText(schema),
    required,
    description: schema.description ?? '',
  };
}

function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return variants.flatMap(variantsOf);
  return allOf === undefined ? [schema] : [allOf.reduce(merge, rest)];
}

function merge(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties = { ...a.properties, ...b.properties };
  return { ...a, ...b, properties, required: [...(a.required ?? []), ...(b.required ?? [])] };
}

/** A schema's type in words. */
function typeText(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(COMPONENTS.length);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeText))].join(' or ');
  if (schema.allOf !== undefined) return [...new Set(schema.allOf.map(typeText))].join(' and ');
  const { type } = schema;
  if (type === undefined) return schema.enum || 'const' in schema ? 'value' : 'any JSON';
  if (typeof type !== 'string') return type.map((one) => typeText({ ...schema, type: one })).join(' or ');
  if (type === 'string' && schema.format !== undefined) return `string (${schema.format})`;
  if (type === 'array')
    return typeof schema.items === 'object' ? `array of ${typeText(schema.items)}` : 'array';
  if (
    type === 'object' &&
    schema.properties === undefined &&
    typeof schema.additionalProperties === 'object'
  ) {
    return `map to ${typeText(schema.additionalProperties)}`;
  }
  return type;
}

/** The rules of a schema beyond its type, in words. */
function rulesText(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const nullable = schema.anyOf?.filter((variant) => variant.type !== 'null') ?? [];
  if (nullable.length === 1 && nullable[0]) return rulesText({ ...nullable[0], ...defaultOf(schema) });
  return [
    schema.enum && `one of ${schema.enum.map(code).join(', ')}`,
    schema.const !== undefined && `always ${code(schema.const)}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(minimum, maximum, ''),
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    exclusiveMaximum !== undefined && `less than ${exclusiveMaximum}`,
    multipleOf !== undefined && `multiple of ${multipleOf}`,
    range(schema.minItems, schema.maxItems, ' items'),
    range(undefined, schema.maxProperties, ' members'),
    schema.pattern !== undefined && `matches \`${schema.pattern}\``,
    schema.default !== undefined && `default ${code(schema.default)}`,
  ]
    .filter(Boolean)
    .join('; ');
}

function defaultOf(schema: JsonSchema): JsonSchema {
  return schema.default === undefined ? {} : { default: schema.default };
}

function range(low: number | undefined, high: number | undefined, unit: string): string | null {
  if (low !== undefined && high !== undefined)
    return low === high ? `${low}${unit}` : `${low} to ${high}${unit}`;
  if (high !== undefined) return `at most ${high}${unit}`;
  return low === undefined ? null : `at least ${low}${unit}`;
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
