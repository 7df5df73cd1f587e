import { nameOf, type OpenApi, resolve, type Schema } from './openapi.ts';

/** One line of a table of fields; nested ones have dotted names. */
export interface SchemaRow {
  readonly name: string;
  readonly type: string;
  readonly rules: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const MAX_DEPTH = 6;
/** In every answer, and described once for all. */
const DESCRIBED_ONCE = '#/components/schemas/Provenance';

/** The members of a schema, nested ones after the member that holds them. A schema inside itself is named only. */
export function schemaRows(
  document: OpenApi,
  schema: Schema,
  prefix = '',
  above: readonly string[] = [],
): SchemaRow[] {
  if (above.length > MAX_DEPTH) return [];
  const rows = variantsOf(document, schema).map((variant) => memberRows(document, variant, prefix, above));
  const names = new Set(rows.flat().map(({ name }) => name));
  return [...names].flatMap((name) => {
    const found = rows.flatMap((ofVariant) => ofVariant.find((row) => row.name === name) ?? []);
    const [first] = found;
    if (first === undefined) return [];
    return [
      {
        ...first,
        type: [...new Set(found.map((row) => row.type))].join(' or '),
        rules: [...new Set(found.map((row) => row.rules))].filter(Boolean).join('; or '),
        // A member is always there only if every variant has it.
        isRequired: found.length === rows.length && found.every((row) => row.isRequired),
      },
    ];
  });
}

/** One field, and what is below it. */
export function fieldRows(
  document: OpenApi,
  name: string,
  schema: Schema,
  isRequired: boolean,
  above: readonly string[] = [],
): SchemaRow[] {
  const row = {
    name,
    isRequired,
    type: typeText(schema),
    rules: rulesText(schema),
    description: schema.description ?? descriptionOf(document, schema),
  };
  return [row, ...nestedRows(document, schema, name, above)];
}

function memberRows(
  document: OpenApi,
  schema: Schema,
  prefix: string,
  above: readonly string[],
): SchemaRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    fieldRows(document, prefix + name, member, schema.required?.includes(name) ?? false, above),
  );
}

function nestedRows(document: OpenApi, schema: Schema, path: string, above: readonly string[]): SchemaRow[] {
  if (schema.$ref === DESCRIBED_ONCE || (schema.$ref !== undefined && above.includes(schema.$ref))) return [];
  const inside = [...above, schema.$ref ?? path];
  return variantsOf(document, schema).flatMap((variant) => {
    if (typeof variant.items === 'object') return nestedRows(document, variant.items, `${path}[]`, inside);
    return variant.properties === undefined ? [] : schemaRows(document, variant, `${path}.`, inside);
  });
}

function descriptionOf(document: OpenApi, schema: Schema): string {
  return schema.$ref === undefined ? '' : (resolve(document, schema).description ?? '');
}

function variantsOf(document: OpenApi, reference: Schema): readonly Schema[] {
  const schema = resolve(document, reference);
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return variants.flatMap((variant) => variantsOf(document, variant));
  if (allOf === undefined) return [schema];
  // Each variant of each part goes with each of the others.
  return allOf
    .map((part) => variantsOf(document, part))
    .reduce<readonly Schema[]>(
      (all, parts) => all.flatMap((one) => parts.map((part) => merge(one, part))),
      [rest],
    );
}

function merge(a: Schema, b: Schema): Schema {
  const properties = { ...a.properties, ...b.properties };
  return { ...a, ...b, properties, required: [...(a.required ?? []), ...(b.required ?? [])] };
}

function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeText))].join(' or ');
  if (schema.allOf !== undefined) return [...new Set(schema.allOf.map(typeText))].join(' and ');
  const { type, format, items, properties, additionalProperties } = schema;
  if (type === undefined) return schema.enum || 'const' in schema ? 'value' : 'any JSON';
  if (typeof type !== 'string') return type.map((one) => typeText({ ...schema, type: one })).join(' or ');
  if (type === 'string' && format !== undefined) return `string (${format})`;
  if (type === 'array') return typeof items === 'object' ? `array of ${typeText(items)}` : 'array';
  if (type === 'object' && properties === undefined && typeof additionalProperties === 'object')
    return `map to ${typeText(additionalProperties)}`;
  return type;
}

/** The rules of a schema beyond its type, in words. */
function rulesText(schema: Schema): string {
  const present = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (present.length === 1 && present[0]) return rulesText({ ...present[0], ...defaultOf(schema) });
  return [
    schema.enum && `one of ${schema.enum.map(code).join(', ')}`,
    schema.const !== undefined && `always ${code(schema.const)}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && `less than ${schema.exclusiveMaximum}`,
    schema.multipleOf !== undefined && `multiple of ${schema.multipleOf}`,
    range(schema.minItems, schema.maxItems, ' items'),
    range(undefined, schema.maxProperties, ' members'),
    schema.pattern !== undefined && `matches ${code(schema.pattern)}`,
    schema.default !== undefined && `default ${code(schema.default)}`,
  ]
    .filter(Boolean)
    .join('; ');
}

function defaultOf(schema: Schema): Schema {
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
