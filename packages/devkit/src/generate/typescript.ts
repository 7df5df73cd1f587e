import { COMPONENTS, type JsonSchema } from '@agent-marketplace/core/transport/openapi/json-schema.ts';

/** `sent`: an optional member may also be given as undefined, which is not sent. */
type Direction = 'sent' | 'received';

/** The declaration of a named type, with its description. */
export function declaration(name: string, schema: JsonSchema, direction: Direction, about = ''): string {
  const doc = docComment([about, schema.description].filter(Boolean).join('\n\n'), '');
  const hasMembers = Object.keys(schema.properties ?? {}).length > 0;
  const isInterface =
    schema.type === 'object' && hasMembers && !schema.allOf && !schema.anyOf && !schema.oneOf;
  const text = typeOf(schema, direction, '');
  return `${doc}export ${isInterface ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`;
}

/** A JSON Schema as a TypeScript type. What TypeScript cannot say (lengths, patterns) is left out. */
function typeOf(schema: JsonSchema, direction: Direction, indent: string): string {
  const inner = (part: JsonSchema) => typeOf(part, direction, indent);
  if (schema.$ref !== undefined) return schema.$ref.slice(COMPONENTS.length);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return union(variants.map(inner));
  if (schema.allOf !== undefined) return schema.allOf.map((part) => grouped(inner(part))).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(inner).join(', ')}]`;
      return typeof schema.items === 'object' ? `${grouped(inner(schema.items))}[]` : 'unknown[]';
    case 'object':
      return objectType(schema, direction, indent);
    default:
      return 'unknown';
  }
}

function objectType(schema: JsonSchema, direction: Direction, indent: string): string {
  const members = Object.entries(schema.properties ?? {});
  const { additionalProperties: rest } = schema;
  if (members.length === 0) {
    if (rest === false) return 'Record<string, never>';
    // Not a Record, which may not refer to itself.
    return `{ [name: string]: ${typeof rest === 'object' ? typeOf(rest, direction, indent) : 'unknown'} }`;
  }
  const inner = `${indent}  `;
  const lines = members.map(([name, member]) => {
    const required = schema.required?.includes(name) ?? false;
    const type = typeOf(member, direction, inner);
    const optional = direction === 'sent' ? union([type, 'undefined']) : type;
    const declared = required ? `: ${type}` : `?: ${optional}`;
    return `${docComment(noteOf(member), inner)}${inner}${memberName(name)}${declared};\n`;
  });
  // With named members beside it, an index signature has to allow for their types as well.
  if (rest !== undefined && rest !== false) lines.push(`${inner}[name: string]: unknown;\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function noteOf(schema: JsonSchema): string {
  const fallback = schema.default === undefined ? '' : `Default: \`${JSON.stringify(schema.default)}\`.`;
  return [schema.description, fallback].filter(Boolean).join(' ');
}

export function docComment(text: string, indent: string): string {
  if (text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** A JSON value in source code. */
export function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${memberName(name)}: ${literal(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** `unknown` takes in everything else. */
function union(types: readonly string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');
}

function grouped(type: string): string {
  return /^[\w$."]+(?:<[^|&]*>)?$/.test(type) || /^\{[\s\S]*\}$/.test(type) ? type : `(${type})`;
}
