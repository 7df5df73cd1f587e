import { API_KEY_MAX_LENGTH, takesApiKey } from '../../kernel/operation/find-caller.ts';
import { type KeyScope, neededScopes } from '../../kernel/operation/key-scopes.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import type { OperationExample } from './examples.ts';
import { hasBody, type WireField } from './fields.ts';
import type { JsonSchema } from './json-schema.ts';

/** Which ways of sending the key an operation takes; a body has a field for it besides. The operator's secret has one. */
export function securityOf(operation: AnyOperation): Record<string, string[]>[] {
  if (operation.auth === 'operator') return [{ operator: [] }];
  if (!takesApiKey(operation)) return [];
  const schemes = ['bearer', 'apiKeyHeader', ...(hasBody(operation) ? [] : ['apiKeyQuery'])];
  // One of the scopes is enough, so each is an alternative. Where none is, it takes all.
  const declared = neededScopes(operation.scope ?? []);
  const scopes: readonly KeyScope[] = declared.length === 0 ? ['all'] : declared;
  const carriers = schemes.flatMap((scheme) => scopes.map((scope) => ({ [scheme]: [scope] })));
  return operation.auth === 'optional' ? [...carriers, {}] : carriers;
}

export function parametersOf(
  operation: AnyOperation,
  fields: readonly WireField[],
  example?: OperationExample,
): object[] {
  const sent = example?.parameters ?? {};
  const parameters: object[] = fields
    .filter((field) => field.in !== 'body')
    .map(({ wire, in: place, header, required, isRest, schema }) => ({
      ...parameter(wire, place, place === 'path' || (required && header === null), schema),
      ...(isRest ? { style: 'form', explode: true } : {}),
      ...(Object.hasOwn(sent, wire) ? { example: sent[wire] } : {}),
    }));
  for (const { header, wire, schema } of fields) {
    if (header === null) continue;
    const { description, ...bare } = schema;
    const note = `May carry \`${wire}\` instead.`;
    parameters.push(parameter(header, 'header', false, { ...bare, description: join(note, description) }));
  }
  if (operation.replay !== undefined) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  if (operation.http.method === 'get') parameters.push({ $ref: '#/components/parameters/IfNoneMatch' });
  if (operation.lag !== undefined) parameters.push({ $ref: '#/components/parameters/Bookmark' });
  return parameters;
}

function parameter(name: string, place: string, required: boolean, schema: JsonSchema): object {
  const { description, ...bare } = schema;
  return { name, in: place, required, ...(description ? { description } : {}), schema: bare };
}

export function requestBodyOf(
  operation: AnyOperation,
  fields: readonly WireField[],
  example?: OperationExample,
): object | null {
  if (!hasBody(operation)) return null;
  const inBody = fields.filter((field) => field.in === 'body');
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    inBody.map(({ wire, schema }) => [wire, schema]),
  );
  if (takesApiKey(operation)) properties.api_key = API_KEY_FIELD;
  if (Object.keys(properties).length === 0) return null;
  const required = inBody.filter((field) => field.required && field.header === null).map(({ wire }) => wire);
  const { maxBodyBytes } = operation.http;
  return {
    ...(maxBodyBytes === undefined ? {} : { description: `At most ${maxBodyBytes} bytes.` }),
    required: required.length > 0,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties,
          ...(required.length > 0 ? { required } : {}),
          additionalProperties: false,
        },
        ...(example ? { example: example.body } : {}),
      },
    },
  };
}

const API_KEY_FIELD: JsonSchema = {
  type: 'string',
  maxLength: API_KEY_MAX_LENGTH,
  description: 'The API key, instead of a header.',
};

function join(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter(Boolean).join(' ');
}
