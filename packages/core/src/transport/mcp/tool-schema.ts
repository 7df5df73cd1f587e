import {
  COMPONENTS,
  inputSchema,
  type JsonSchema,
  outputSchema,
  type SchemaComponents,
} from '../openapi/json-schema.ts';
import { answerSchema } from '../openapi/responses.ts';
import { API_KEY_FIELD } from '../sent-fields.ts';
import { argumentNames, rowsOfPage, type ToolOperation } from './names.ts';

/** MCP requires a schema with an object at the root and no external references. */
export type ToolSchema = JsonSchema & { readonly type: 'object' };

/** The arguments of a tool. The API key is optional where the connection sends it: the model may never see it. */
export function toolInputSchema(operation: ToolOperation, connectionHasKey: boolean): ToolSchema {
  const components: SchemaComponents = {};
  const { properties = {}, required = [] } = inputSchema(operation, components);
  const { toWire } = argumentNames(operation);
  const key = apiKeyArgument(operation, connectionHasKey);
  const keyRequired = key !== null && isKeyRequired(operation) && !connectionHasKey;
  const needed = [...(keyRequired ? [API_KEY_FIELD] : []), ...required.map(toWire)];
  return standalone(
    {
      type: 'object',
      properties: {
        ...(key ? { [API_KEY_FIELD]: key } : {}),
        ...Object.fromEntries(
          Object.entries(properties)
            .filter(([field]) => !operation.mcp.unlisted?.includes(field))
            .map(([field, schema]) => [toWire(field), brief(asSentByTool(operation, field, schema))]),
        ),
      },
      ...(needed.length > 0 ? { required: needed } : {}),
    },
    components,
  );
}

/**
 * The structured content of a tool's result: the names of its members. Their schemas are in OpenAPI; here they would be
 * four fifths of what every model reads before its first call. Open, because a refusal is a problem instead.
 */
export function toolOutputSchema(operation: ToolOperation): ToolSchema {
  const { properties = {} } = answerSchema(operation, outputSchema(operation, {}));
  const everyAnswer = ['notice', 'provenance'];
  const all = Object.keys(properties).filter((name) => !everyAnswer.includes(name));
  const { members = all, lists = [], expendable = [] } = operation.mcp.answer ?? {};
  const ofPages = lists.flatMap(({ next }) => (next && 'offset' in next ? ['nextOffset'] : []));
  const named = [...members, ...ofPages, ...(lists.length + expendable.length > 0 ? ['hint'] : [])];
  return { type: 'object', properties: Object.fromEntries(named.map((name) => [name, {}])) };
}

/** An argument with what the tool sends where it is left out, which may differ from the default over REST. */
function asSentByTool(operation: ToolOperation, field: string, schema: JsonSchema): JsonSchema {
  const rows = field === 'limit' ? rowsOfPage(operation) : null;
  if (rows !== null) return { ...schema, default: rows };
  const client = operation.clientDefaults?.[field];
  if (client === undefined) return schema;
  const { default: usual, description, ...rest } = schema;
  const sent = `Default: ${client.value} with \`${client.with}\`, else ${String(usual)}.`;
  return { ...rest, description: `${description} ${sent}` };
}

function isKeyRequired({ auth }: ToolOperation): boolean {
  return auth === 'agent' || auth === 'seller';
}

function apiKeyArgument({ auth }: ToolOperation, connectionHasKey: boolean): JsonSchema | null {
  if (auth === 'none') return null;
  const description = connectionHasKey ? 'Sent by the connection.' : 'Your key.';
  return { type: 'string', description };
}

/** Longer lists of values are of what everybody knows, such as states. */
const MAX_VALUES = 20;

/**
 * Keywords that tell a model nothing: what JSON Schema means without them, and bounds that nobody reaches by mistake.
 * Whatever breaks them is refused all the same, by the operation's own schema.
 */
const NOISE: Readonly<Record<string, (value: unknown, schema: JsonSchema) => boolean>> = {
  additionalProperties: (value) => value === true,
  default: (value) => value === false || (Array.isArray(value) && value.length === 0),
  maxLength: (value, { format }) => format !== undefined || Number(value) < 100 || Number(value) > 5000,
  enum: (value) => Array.isArray(value) && value.length > MAX_VALUES,
  maximum: (value, { default: usual }) => Number(value) >= 1_000_000 || usual === 0,
  minLength: (value) => value === 1,
  minimum: (_, { default: usual }) => usual === 0,
  propertyNames: () => true,
  type: (_, { const: only }) => only !== undefined,
};

type Members = NonNullable<JsonSchema['properties']>;

/** An argument as a model reads it. What its members mean is said of the whole, or in the operation's documentation. */
function brief(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema)
    .filter(([name, value]) => NOISE[name]?.(value, schema) !== true)
    .map(([name, value]) => {
      if (name === 'items') return [name, inner(value)];
      if (name !== 'properties') return [name, value];
      return [
        name,
        Object.fromEntries(Object.entries(value as Members).map(([key, one]) => [key, inner(one)])),
      ];
    });
  return Object.fromEntries(entries);
}

function inner(schema: JsonSchema): JsonSchema {
  const { description: _, ...rest } = brief(schema);
  return rest;
}

/** Moves the shared schemas that a tool refers to into its own `$defs`. */
function standalone(schema: ToolSchema, components: SchemaComponents): ToolSchema {
  const $defs: Record<string, JsonSchema> = {};
  const walk = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, ''));
    if (key === '$ref') return locate(String(value).slice(COMPONENTS.length));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, name)]));
  };
  const locate = (name: string): string => {
    if (!Object.hasOwn($defs, name)) {
      // Set before walking the schema, which may refer to itself.
      $defs[name] = {};
      $defs[name] = walk(components[name] ?? {}, '') as JsonSchema;
    }
    return `#/$defs/${name}`;
  };
  const located = walk(schema, '') as ToolSchema;
  return Object.keys($defs).length > 0 ? { ...located, $defs } : located;
}
