import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import type { AnyOperation } from '../kernel/operation/operation.ts';
import { COMPONENTS, type JsonSchema, type SchemaComponents } from '../transport/openapi/json-schema.ts';
import { exampleFor, inputFields } from './operation-inputs.ts';

/** In a path: an element of a list. */
const ELEMENT = '[]';
/** In a path: a member of a map, whatever its name. */
const MEMBER = '*';
/** The member that `changedInput` gives a map. */
const SOME_NAME = 'some_name';

/** One schema somewhere in an input. */
export interface InputPart {
  /** Names of members, by the operation's own names; `[]` and `*` for elements of lists and members of maps. */
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** Every schema in an operation's input, variants and referred ones too; the input itself is not one. */
export function inputParts(operation: AnyOperation): InputPart[] {
  const { fields, components } = inputFields(operation);
  return [...fields].flatMap(([field, schema]) => partsOf(schema, components, [field]));
}

/** A schema and every one in it. What contains itself is looked into once. */
export function partsOf(
  schema: JsonSchema,
  components: SchemaComponents,
  path: readonly string[] = [],
  seen: readonly JsonSchema[] = [],
): InputPart[] {
  if (seen.includes(schema)) return [];
  return variantsOf(schema, components).flatMap((variant) => [
    { path, schema: variant },
    ...stepsOf(variant).flatMap(([step, part]) =>
      partsOf(part, components, [...path, step], [...seen, schema]),
    ),
  ]);
}

/** The schema, or those that it chooses among, without references. */
function variantsOf(schema: JsonSchema, components: SchemaComponents): readonly JsonSchema[] {
  if (schema.$ref !== undefined) {
    return variantsOf(components[schema.$ref.slice(COMPONENTS.length)] ?? {}, components);
  }
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return variants.length > 0 ? variants.flatMap((variant) => variantsOf(variant, components)) : [schema];
}

function stepsOf({ properties = {}, items, prefixItems = [], additionalProperties }: JsonSchema) {
  const steps: [step: string, part: JsonSchema][] = Object.entries(properties);
  for (const part of [items, ...prefixItems]) if (typeof part === 'object') steps.push([ELEMENT, part]);
  if (typeof additionalProperties === 'object') steps.push([MEMBER, additionalProperties]);
  return steps;
}

/**
 * The input with another value at the path. What is on the way and is not there yet is made as its schema
 * allows; `change` gets what is at its end, if anything is.
 */
export function changedInput(
  operation: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  path: readonly string[],
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  const { fields, components } = inputFields(operation);
  const walk = (schema: JsonSchema, value: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return change(value);
    const holder = variantsOf(schema, components).find((one) => stepsOf(one).some(([name]) => name === step));
    const part = stepsOf(holder ?? {}).find(([name]) => name === step)?.[1] ?? {};
    if (step === ELEMENT) {
      const [first, ...others] = Array.isArray(value) && value.length > 0 ? value : [example(part)];
      return [walk(part, first, rest), ...others];
    }
    const given = (value ?? example(holder ?? {})) as Record<string, unknown>;
    const name = step === MEMBER ? SOME_NAME : step;
    return { ...given, [name]: walk(part, given[name], rest) };
  };
  const example = (schema: JsonSchema): Json => exampleFor(schema, components);
  const [field = '', ...rest] = path;
  return { ...input, [field]: walk(fields.get(field) ?? {}, input[field], rest) };
}

/** The path as errors name it in what `changedInput` made. */
export function pathInError([, ...rest]: readonly string[], wireField: string): string {
  const deeper = rest.map((step) => (step === ELEMENT ? '0' : step === MEMBER ? SOME_NAME : step));
  return [wireField, ...deeper].join('.');
}
