import type { z } from 'zod';
import { commonErrors, type FieldError, Refusal } from '../errors.ts';
import { isJsonObject } from '../json/json.ts';
import type { AnyOperation } from './operation.ts';

/** More are of no use to anyone. */
const MAX_CUT_SHORT = 20;

export function parse(operation: AnyOperation, fields: Record<string, unknown>) {
  // SQLite's functions take U+0000 for the end of a text, so lengths checked there would differ from ours.
  const cutShort = findCutShort(operation, fields);
  if (cutShort.length > 0) {
    throw new Refusal(commonErrors.validation_failed, {
      fields: cutShort.map((path) => ({ message: 'Text may not hold U+0000.', path })),
    });
  }
  const result = operation.input.safeParse(fields);
  if (result.success) return result.data;
  throw new Refusal(commonErrors.validation_failed, {
    fields: withoutFollowing(result.error.issues).flatMap(fieldErrors),
  });
}

/** Paths of the texts and names with U+0000 in them, however deep; not in what is passed on as it came. */
function findCutShort({ opaqueFields = [] }: AnyOperation, fields: Record<string, unknown>): string[] {
  const found: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (found.length === MAX_CUT_SHORT) return;
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
  return found.slice(0, MAX_CUT_SHORT);
}

/** What is of the wrong type has no length and no form: only the first of its faults means anything. */
function withoutFollowing(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const mistyped = new Set<string>();
  return issues.filter(({ code, path }) => {
    const at = JSON.stringify(path);
    if (mistyped.has(at)) return false;
    if (code === 'invalid_type') mistyped.add(at);
    return true;
  });
}

/** By the operation's own field names, like every refusal; the way out translates them. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => [...path, key].join('.'));
    return unknown.map((name) => ({ message: 'This field is not known here.', path: name }));
  }
  return [{ message: issue.message, path: path.join('.') }];
}
