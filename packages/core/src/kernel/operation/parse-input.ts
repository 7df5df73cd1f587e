import type { z } from 'zod';
import { commonErrors, type FieldError, Refusal } from '../errors.ts';
import { isJsonObject } from '../json/json.ts';
import type { AnyOperation } from './operation.ts';
import type { RequestState } from './request-state.ts';

/** A body can contain millions; the first ones show the caller what is wrong. */
const MAX_NULL_PATHS = 20;

/** What the schema of an operation makes of its fields. */
export type ParsedInput = ReturnType<typeof parseInput>;

export function parseInput(operation: AnyOperation, fields: RequestState['fields']) {
  // SQLite's functions take U+0000 for the end of a text, so lengths checked there would differ from ours.
  const nullPaths = findNullCharacters(operation, fields);
  if (nullPaths.length > 0) {
    throw new Refusal(commonErrors.validation_failed, {
      fields: nullPaths.map((path) => ({ message: 'Text may not hold U+0000.', path })),
    });
  }
  const result = operation.input.safeParse(fields);
  if (result.success) return result.data;
  throw new Refusal(commonErrors.validation_failed, {
    fields: withoutConsequences(result.error.issues).flatMap(fieldErrors),
  });
}

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
