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
import { withProvenance } from '../openapi/responses.ts';
import { API_KEY_ARGUMENT, argumentNames, type ToolOperation } from './names.ts';

/** As MCP wants the schemas of tools: an object at the root, complete in itself. */
export type ToolSchema = JsonSchema & { readonly type: 'object' };

/**
 * What a tool takes. A key that the connection carries in a header need not be given again, and a model
 * that never saw it could not.
 */
export function toolInputSchema(operation: ToolOperation, connectionHasKey: boolean): ToolSchema {
  const components: SchemaComponents = {};
  const { properties = {}, required = [] } = inputSchema(operation, components);
  const { toWire } = argumentNames(operation);
  const key = apiKeyArgument(operation, connectionHasKey);
  const keyRequired = key !== null && isKeyRequired(operation) && !connectionHasKey;
  const needed = [...(keyRequired ? [API_KEY_ARGUMENT] : []), ...required.map(toWire)];
  return standalone(
    {
      type: 'object',
      properties: {
        ...(key ? { [API_KEY_ARGUMENT]: key } : {}),
        ...Object.fromEntries(Object.entries(properties).map(([field, schema]) => [toWire(field), schema])),
      },
      ...(needed.length > 0 ? { required: needed } : {}),
      additionalProperties: false,
    },
    components,
  );
}

/** What a tool's structured content is: the operation's answer, or a problem where it was refused. */
export function toolOutputSchema(operation: ToolOperation): ToolSchema {
  const components: SchemaComponents = {};
  const answer = withProvenance(outputSchema(operation, components));
  const { Problem = {}, Provenance = {} } = sharedSchemas([]);
  // The codes that one tool may answer are told by the documentation; here they would outweigh the tool.
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

/** OpenAPI keeps shared schemas in one place; a tool carries those it refers to with it. */
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
      // Taken before its content is looked at: schemas may refer to themselves.
      $defs[name] = {};
      $defs[name] = walk(components[name] ?? {}, '') as JsonSchema;
    }
    return `#/$defs/${name}`;
  };
  const located = walk(schema, '') as ToolSchema;
  return Object.keys($defs).length > 0 ? { ...located, $defs } : located;
}
