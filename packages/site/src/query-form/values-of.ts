import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { QueryField, QueryForm } from './query-field.ts';

/** The texts of a form's controls that stand for a query, by the names of the controls. */
export function valuesOf({ fields }: Pick<QueryForm, 'fields'>, query: JsonObject): Map<string, string> {
  const values = new Map<string, string>();
  const fill = ({ name, path, control, isNullIfEmpty }: QueryField, value: Json | undefined) => {
    if (value === undefined || (value === null && isNullIfEmpty && control.kind !== 'choice')) return;
    if (control.kind === 'group') {
      if (isJsonObject(value)) for (const field of control.fields) fill(field, memberOf(value, field));
    } else values.set(name, path.length === 0 ? JSON.stringify(value, null, 2) : textOf(control, value));
  };
  for (const field of fields) fill(field, field.path.length === 0 ? query : memberOf(query, field));
  return values;
}

function memberOf(value: JsonObject, { path }: QueryField): Json | undefined {
  const name = path.at(-1) ?? '';
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function textOf(control: QueryField['control'], value: Json): string {
  switch (control.kind) {
    case 'choice':
      return String(control.options.findIndex((one) => JSON.stringify(one) === JSON.stringify(value)));
    case 'list':
      return Array.isArray(value) ? value.map(String).join('\n') : '';
    case 'json':
      return JSON.stringify(value, null, 2);
    case 'text':
      return typeof value === 'string' ? value : '';
    default:
      return String(value);
  }
}
