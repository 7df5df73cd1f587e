import type { z } from 'zod';
import { commonErrors, type FieldError, Refusal } from './errors.ts';
import type { AnyOperation } from './operation.ts';

export function parse(operation: AnyOperation, fields: Record<string, unknown>) {
  // SQLite's functions take U+0000 for the end of a text, so lengths checked there would differ from ours.
  const cutShort = Object.keys(fields).filter((field) => {
    const value = fields[field];
    return typeof value === 'string' && value.includes('\u0000');
  });
  if (cutShort.length > 0) {
    throw new Refusal(commonErrors.validation_failed, {
      fields: cutShort.map((field) => ({ message: 'Text may not hold U+0000.', path: field })),
    });
  }
  const result = operation.input.safeParse(fields);
  if (result.success) return result.data;
  throw new Refusal(commonErrors.validation_failed, {
    fields: result.error.issues.flatMap(fieldErrors),
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
