import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type * as z from 'zod';
import { commonErrors, type FieldError, Refusal } from '../errors.ts';
import { type AnyOperation, isPublicRead } from './operation.ts';
import type { RequestState } from './request-state.ts';

/** A body can contain millions; the first ones show the caller what is wrong. */
const MAX_NULL_PATHS = 20;

/** Nulls of optional fields that are left out before the input is refused. */
const MAX_NULLS = 100;

/** What the schema of an operation makes of its fields. */
export type ParsedInput = ReturnType<AnyOperation['input']['parse']>;

export interface Parsed {
  readonly input: ParsedInput;
  /** What of the request was ignored, as a sentence for the caller. */
  readonly notice: string | null;
  /** Filters with a value that nothing can have. */
  readonly unmatchedFields: readonly string[];
}

export function parseInput(operation: AnyOperation, sent: RequestState['fields']): Parsed {
  const { fields, ...ignored } = withoutUnknown(operation, sent);
  // SQLite's functions take U+0000 for the end of a text, so lengths checked there would differ from ours.
  const nullPaths = findNullCharacters(operation, fields);
  if (nullPaths.length > 0) {
    throw new Refusal(commonErrors.validation_failed, {
      fields: nullPaths.map((path) => ({ message: 'Text may not hold U+0000.', path })),
    });
  }
  const result = safeParse(operation, fields);
  if (result.success) return { input: { ...result.data, ...opaqueAsSent(operation, fields) }, ...ignored };
  throw new Refusal(commonErrors.validation_failed, {
    fields: withoutConsequences(result.error.issues).flatMap(fieldErrors),
  });
}

/** A schema's copy of an object has no member named `__proto__`, which a signature may not cover, or a seller was sent. */
function opaqueAsSent({ opaqueFields = [] }: AnyOperation, fields: RequestState['fields']): ParsedInput {
  return Object.fromEntries(
    opaqueFields.filter((name) => isJsonObject(fields[name])).map((name) => [name, fields[name]]),
  );
}

/** Null where it does not fit is the same as leaving the member out: many languages cannot leave one out. */
function safeParse({ input }: AnyOperation, fields: RequestState['fields']) {
  const result = input.safeParse(fields);
  if (result.success) return result;
  const nulls = result.error.issues.filter(({ path }) => valueAt(fields, path) === null).slice(0, MAX_NULLS);
  if (nulls.length === 0) return result;
  return input.safeParse(nulls.reduce<unknown>((rest, { path }) => withoutMember(rest, path), fields));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (at as Record<PropertyKey, unknown> | null | undefined)?.[name],
    value,
  );
}

/** An item of a list is no member: it stays. */
function withoutMember(value: unknown, [name, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(value) && rest.length > 0) {
    return value.with(Number(name), withoutMember(value[Number(name)], rest));
  }
  if (!isJsonObject(value) || name === undefined) return value;
  const { [String(name)]: member, ...others } = value;
  return rest.length === 0 ? others : { ...others, [String(name)]: withoutMember(member, rest) };
}

/**
 * A public read is never refused for what it does not know: unknown parameters, and values of advisory fields and
 * filters that are none of theirs. The notice names nothing that the caller chose, because links to signed answers are passed on.
 */
function withoutUnknown(
  operation: AnyOperation,
  sent: RequestState['fields'],
): Omit<Parsed, 'input'> & { readonly fields: RequestState['fields'] } {
  const { advisoryFields = [], filterFields = [], input } = operation;
  const { ignoresUnknownFields = isPublicRead(operation) } = operation;
  const isUnknown = (field: string) => ignoresUnknownFields && !Object.hasOwn(input.shape, field);
  const isNone = (field: string) =>
    [...advisoryFields, ...filterFields].includes(field) &&
    !input.shape[field].safeParse(sent[field] ?? undefined).success;
  const names = Object.keys(sent);
  const isTwo = (field: string) =>
    isPublicRead(operation) && Array.isArray(sent[field]) && !isMissing(input, field);
  // A set: a stranger sends as many fields as a body holds.
  const ignored = new Set(names.filter((field) => isUnknown(field) || isNone(field) || isTwo(field)));
  if (ignored.size === 0) return { fields: sent, notice: null, unmatchedFields: [] };
  const fields = Object.fromEntries(Object.entries(sent).filter(([field]) => !ignored.has(field)));
  const unmatchedFields = filterFields.filter((field) => ignored.has(field));
  const sentences = [
    ...[...ignored]
      .filter((field) => !isUnknown(field) && !filterFields.includes(field))
      .map((field) => sentenceOn(field, 'it was ignored')),
    ...unmatchedFields.map((field) => sentenceOn(field, 'nothing matches it')),
  ];
  if ([...ignored].some(isUnknown)) sentences.push('Parameters that are not known here were ignored.');
  return { fields, notice: sentences.join(' '), unmatchedFields };
}

/** Whether a list is what the field takes, or the field must be sent. */
function isMissing(input: AnyOperation['input'], field: string): boolean {
  const schema = input.shape[field];
  return schema === undefined || !schema.safeParse(undefined).success || schema.safeParse([]).success;
}

const sentenceOn = (field: string, consequence: string) =>
  `\`${field}\` is none of its values, or was sent with two: ${consequence}.`;

/** Paths of the texts and names that contain U+0000, at any depth, except in opaque fields. */
function findNullCharacters({ opaqueFields = [] }: AnyOperation, fields: RequestState['fields']): string[] {
  const found: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (found.length === MAX_NULL_PATHS) return;
    if (typeof value === 'string' && value.includes('\u0000')) found.push(path);
    else if (Array.isArray(value)) value.forEach((item, index) => void look(item, `${path}.${index}`));
    else if (isJsonObject(value)) lookAtMembers(value, `${path}.`);
  };
  const lookAtMembers = (members: object, prefix: string, skipped: readonly string[] = []): void => {
    for (const [name, value] of Object.entries(members)) {
      if (name.includes('\u0000')) found.push(prefix + name);
      else if (!skipped.includes(name)) look(value, prefix + name);
    }
  };
  lookAtMembers(fields, '', opaqueFields);
  return found.slice(0, MAX_NULL_PATHS);
}

/** A value of the wrong type also fails every check of its length or form: only the first issue is reported. */
function withoutConsequences(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const mistyped = new Set<string>();
  return issues.filter(({ code, path }) => {
    const at = JSON.stringify(path);
    if (mistyped.has(at)) return false;
    if (code === 'invalid_type') mistyped.add(at);
    return true;
  });
}

/** Paths use the operation's own field names; `refusalOf` translates them to the names of the transport. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => [...path, key].join('.'));
    return unknown.map((name) => ({ message: 'This field is not known here.', path: name }));
  }
  return [{ message: issue.message, path: path.join('.') }];
}
