import { BRAND } from '../../kernel/brand.ts';
import { API_KEY_MAX_LENGTH } from '../../kernel/operation/find-caller.ts';
import { sharedSchemas } from '../openapi/components.ts';
import {
  COMPONENTS,
  inputSchema,
  type JsonSchema,
  outputSchema,
  type SchemaComponents,
} from '../openapi/json-schema.ts';
import { answerSchema } from '../openapi/responses.ts';
import { API_KEY_FIELD } from '../sent-fields.ts';
import { argumentNames, type ToolOperation } from './names.ts';

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
        ...Object.fromEntries(Object.entries(properties).map(([field, schema]) => [toWire(field), schema])),
      },
      ...(needed.length > 0 ? { required: needed } : {}),
      additionalProperties: false,
    },
    components,
  );
}

/** The structured content of a tool's result: the operation's answer, or a problem. */
export function toolOutputSchema(operation: ToolOperation): ToolSchema {
  const components: SchemaComponents = {};
  const answer = answerSchema(operation, outputSchema(operation, components));
  const { Problem = {}, Provenance = {} } = sharedSchemas([]);
  // Without the list of error codes, which would be longer than the rest of the tool; the documentation has it.
  const problem = { ...Problem, properties: { ...Problem.properties, code: { type: 'string' } } };
  return standalone(
    { type: 'object', anyOf: [answer, { $ref: `${COMPONENTS}Problem` }] },
    { ...components, Problem: problem, Provenance },
  );
}

function isKeyRequired({ auth }: ToolOperation): boolean {
  return auth === 'agent' || auth === 'seller';
}

function apiKeyArgument({ auth }: ToolOperation, connectionHasKey: boolean): JsonSchema | null {
  if (auth === 'none') return null;
  const description = connectionHasKey
    ? 'Leave it out: this connection sends a key as a header already.'
    : `Your API key, ${BRAND.apiKeyPrefix}…; may be left out where the connection sends it as a header.`;
  return { type: 'string', maxLength: API_KEY_MAX_LENGTH, description };
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
