import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { isSchema, resolveLocalRef } from '@agent-marketplace/protocol/schemas/local-ref.rules.ts';

/** A reference may lead to a reference, so often. */
const MAX_REFERENCES = 4;

/** References are followed as far as the depth of a form; what leads nowhere allows anything. */
export function followed(root: JsonObject, node: Json | undefined): JsonObject {
  let schema: Json | undefined = node;
  for (
    let steps = 0;
    isJsonObject(schema) && schema.$ref !== undefined && steps < MAX_REFERENCES;
    steps += 1
  ) {
    const { $ref, ...beside } = schema;
    const target = resolveLocalRef(root, $ref);
    if (!isSchema(target)) return {};
    schema = isJsonObject(target) ? { ...target, ...beside } : {};
  }
  return isJsonObject(schema) ? schema : {};
}

/** The bounds of a member, in words. */
export function rulesOf(schema: JsonObject): string {
  const bound = (name: string) => (typeof schema[name] === 'number' ? (schema[name] as number) : undefined);
  const format =
    typeof schema.format === 'string' && Object.hasOwn(FORMAT_WORDS, schema.format)
      ? FORMAT_WORDS[schema.format]
      : undefined;
  return [
    format,
    schema.type === 'integer' ? 'A whole number.' : undefined,
    range(bound('minLength'), bound('maxLength'), ' characters'),
    range(bound('minimum'), bound('maximum'), ''),
    bound('exclusiveMinimum') === undefined ? undefined : `More than ${bound('exclusiveMinimum')}.`,
    bound('exclusiveMaximum') === undefined ? undefined : `Less than ${bound('exclusiveMaximum')}.`,
    bound('multipleOf') === undefined ? undefined : `A multiple of ${bound('multipleOf')}.`,
    schema.type === 'array' ? range(bound('minItems'), bound('maxItems'), ' items') : undefined,
  ]
    .filter((words) => words !== undefined)
    .join(' ');
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  date: 'A day, as 2026-11-23.',
  'date-time': 'A time with its zone, as 2026-11-23T18:00:00Z.',
  email: 'An e-mail address.',
  uri: 'An address that begins with its scheme, as https://example.com.',
  uuid: 'A UUID.',
};

function range(low: number | undefined, high: number | undefined, unit: string): string | undefined {
  if (low !== undefined && high !== undefined)
    return low === high ? `${low}${unit}.` : `${low} to ${high}${unit}.`;
  if (high !== undefined) return `At most ${high}${unit}.`;
  return low === undefined ? undefined : `At least ${low}${unit}.`;
}
