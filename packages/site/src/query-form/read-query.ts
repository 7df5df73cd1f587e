import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { AS_SENT, parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { QUERY_LIMIT } from '@agent-marketplace/protocol/schemas/evaluation.rules.ts';
import { schemaMessage } from '@agent-marketplace/protocol/schemas/schema-messages.rules.ts';
import { JSON_FAULTS } from './json-faults.ts';
import { isWholeQuery, type QueryField, type QueryForm } from './query-field.ts';

export interface ReadQuery {
  /** Null: nothing is sent, since nothing was filled in and nothing has to be. */
  readonly query: JsonObject | null;
  /** What is wrong, in words, by the name of the control. */
  readonly faults: ReadonlyMap<string, string>;
  /** What is wrong with the query as a whole. */
  readonly formFault: string | null;
}

const NEEDED = 'Fill this in: the seller needs it.';

/** Reads the texts of the controls as a query, and checks it against the listing's schema. */
export function readQuery(
  form: QueryForm,
  textAt: (name: string) => string,
  { isChecked = true } = {},
): ReadQuery {
  const faults = new Map<string, string>();
  const read = isWholeQuery(form) ? wholeOf : membersOf;
  const value = read(form.fields, textAt, faults);
  const isEmpty = value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
  if (isEmpty && form.isOptional && faults.size === 0) return { query: null, faults, formFault: null };
  const query = isJsonObject(value) ? value : {};
  let formFault: string | null = null;
  if (isChecked && form.schema !== null) {
    // What could not be read is missing in the query: then only what is said of other fields counts.
    const isWhole = faults.size === 0;
    for (const { path, message } of evaluateSchema(form.schema, query, QUERY_LIMIT) ?? []) {
      const field = fieldAt(form.fields, path.map(String));
      if (field === null && !isWhole) continue;
      if (field === null)
        formFault ??= path.length === 0 ? bestWords(form, message) : `${path.join('.')}: ${message}`;
      else if (!faults.has(field.name)) faults.set(field.name, placed(field, path, message));
    }
  }
  return { query, faults, formFault };
}

/** What is wanted, where none of several alternatives fits. */
const bestWords = ({ rules }: { readonly rules: string }, message: string): string =>
  rules !== '' && ALTERNATIVES.includes(message) ? rules : message;

const ALTERNATIVES = [schemaMessage('anyOf'), schemaMessage('oneOf')];

/** Inside a list or a JSON text, the message says where. */
function placed(field: QueryField, path: readonly (string | number)[], message: string): string {
  const inside = path.slice(field.path.length);
  if (inside.length === 0) return bestWords(field, message);
  return field.control.kind === 'list'
    ? `Line ${Number(inside[0]) + 1}: ${message}`
    : `${inside.join('.')}: ${message}`;
}

type Faults = Map<string, string>;
type TextAt = (name: string) => string;

function wholeOf([field]: readonly QueryField[], textAt: TextAt, faults: Faults): Json | undefined {
  if (field === undefined) return undefined;
  const value = readField(field, textAt, faults);
  if (value === undefined || isJsonObject(value)) return value;
  faults.set(field.name, 'A query is one JSON object, in braces { }.');
  return undefined;
}

function membersOf(fields: readonly QueryField[], textAt: TextAt, faults: Faults): JsonObject | undefined {
  const members = fields.flatMap((field) => {
    const value = readField(field, textAt, faults);
    return value === undefined ? [] : [[field.path.at(-1) ?? '', value] as const];
  });
  return Object.fromEntries(members);
}

function readField(field: QueryField, textAt: TextAt, faults: Faults): Json | undefined {
  const { name, control, isRequired, isNullIfEmpty } = field;
  const empty = isNullIfEmpty ? null : undefined;
  if (control.kind === 'group') return readGroup(control.fields, isRequired, textAt, faults) ?? empty;
  const text = textAt(name).replaceAll('\r\n', '\n');
  if (text === '' || (control.kind !== 'text' && text.trim() === '')) {
    if (isRequired) faults.set(name, NEEDED);
    return empty;
  }
  const fault = (message: string) => {
    faults.set(name, message);
    return undefined;
  };
  switch (control.kind) {
    case 'text':
      return text;
    case 'number':
    case 'integer':
      return readNumber(control.kind, text, fault);
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : fault('Choose yes or no.');
    case 'choice':
      return readChoice(control.options, text, fault);
    case 'list':
      return readList(control.item, text, fault);
    case 'json':
      return readJson(text, fault);
  }
}

/** Members of a group that is left out as a whole need not be filled in. */
function readGroup(
  fields: readonly QueryField[],
  isRequired: boolean,
  textAt: TextAt,
  faults: Faults,
): Json | undefined {
  const inside: Faults = new Map();
  const value = membersOf(fields, textAt, inside);
  const isEmpty =
    Object.keys(value ?? {}).length === 0 && [...inside.values()].every((one) => one === NEEDED);
  if (isEmpty && !isRequired) return undefined;
  for (const [name, message] of inside) faults.set(name, message);
  return value;
}

type Fault = (message: string) => undefined;

function readNumber(kind: 'number' | 'integer', text: string, fault: Fault): number | undefined {
  const literal = text.trim();
  const isWhole = kind === 'integer';
  if (!(isWhole ? /^-?\d+$/ : /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/).test(literal))
    return fault(isWhole ? 'Write a whole number, such as 3.' : 'Write a number, such as 3.5.');
  const value = Number(literal);
  if (!Number.isFinite(value) || (/^-?\d+$/.test(literal) && !Number.isSafeInteger(value)))
    return fault('It has more digits than can be kept exactly.');
  return value;
}

function readChoice(options: readonly Json[], text: string, fault: Fault): Json | undefined {
  const option = /^\d{1,5}$/.test(text) ? options[Number(text)] : undefined;
  return option === undefined ? fault('Choose one of the list.') : option;
}

function readList(item: 'text' | 'number' | 'integer', text: string, fault: Fault): Json | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (item === 'text') return lines;
  const numbers: number[] = [];
  for (const [index, line] of lines.entries()) {
    const value = readNumber(item, line, (message) => fault(`Line ${index + 1}: ${message}`));
    if (value === undefined) return undefined;
    numbers.push(value);
  }
  return numbers;
}

function readJson(text: string, fault: Fault): Json | undefined {
  const parsed = parseStrictJson(text, AS_SENT);
  return parsed.ok ? parsed.value : fault(JSON_FAULTS[parsed.reason]);
}

/** The field that holds the value at a path; null where that is no single one. */
function fieldAt(fields: readonly QueryField[], path: readonly string[]): QueryField | null {
  for (const field of fields) {
    if (!field.path.every((name, index) => name === path[index])) continue;
    if (field.control.kind !== 'group') return field;
    const inside = fieldAt(field.control.fields, path);
    if (inside !== null) return inside;
  }
  return null;
}
