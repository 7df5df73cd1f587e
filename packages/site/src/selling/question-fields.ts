import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** One thing that buyers fill in, as a seller describes it without writing JSON. */
export interface QuestionField {
  readonly name: string;
  readonly type: FieldType;
  readonly isNeeded: boolean;
  readonly example: string;
}

export type FieldType = 'string' | 'number' | 'integer' | 'boolean' | 'date';

export const FIELD_TYPES: readonly (readonly [FieldType, string])[] = [
  ['string', 'Text'],
  ['number', 'Number'],
  ['integer', 'Whole number'],
  ['boolean', 'Yes or no'],
  ['date', 'Day'],
];

export interface Question {
  readonly inputSchema: JsonObject;
  readonly exampleQuery: JsonObject;
}

/** The JSON Schema of what buyers fill in, and the example; or what is wrong, in words. */
export function questionOf(fields: readonly QuestionField[]): Question | { readonly fault: string } {
  const properties: Record<string, Json> = {};
  const example: Record<string, Json> = {};
  for (const [index, field] of fields.entries()) {
    const name = field.name.trim();
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,49}$/.test(name)) {
      return {
        fault: `Field ${index + 1} needs a name of letters, digits, - or _, such as harbour: your endpoint gets it under that name.`,
      };
    }
    if (Object.hasOwn(properties, name)) return { fault: `Two fields are called ${name}.` };
    const value = exampleOf(field);
    if (value === undefined && field.example.trim() !== '')
      return { fault: `The example of ${name} is no ${WORDS[field.type]}.` };
    if (value === undefined && field.isNeeded)
      return { fault: `Give an example of ${name}: buyers find it filled in.` };
    properties[name] =
      field.type === 'date' ? { type: 'string', format: 'date' } : { type: field.type, ...boundsOf(field) };
    if (value !== undefined) example[name] = value;
  }
  const required = fields.filter(({ isNeeded }) => isNeeded).map(({ name }) => name.trim());
  return {
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    exampleQuery: example,
  };
}

const WORDS: Readonly<Record<FieldType, string>> = {
  string: 'text',
  number: 'number: write it like 3.5',
  integer: 'whole number: write it like 3',
  boolean: 'yes or no: write yes or no',
  date: 'day: write it like 2026-03-12',
};

const boundsOf = ({ type }: QuestionField): JsonObject => (type === 'string' ? { maxLength: 1000 } : {});

function exampleOf({ type, example }: QuestionField): Json | undefined {
  const text = example.trim();
  if (text === '') return undefined;
  switch (type) {
    case 'string':
      return text.length <= 1000 ? text : undefined;
    case 'number':
      return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) ? Number(text) : undefined;
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return /^(?:yes|true)$/i.test(text) ? true : /^(?:no|false)$/i.test(text) ? false : undefined;
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  }
}

/** The fields as a draft keeps them. What is no list of fields is none. */
export function parseFields(text: string): readonly QuestionField[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.filter(isJsonObject).map(fieldOf) : [];
  } catch {
    return [];
  }
}

function fieldOf({ name, type, isNeeded, example }: JsonObject): QuestionField {
  return {
    name: String(name ?? ''),
    type: FIELD_TYPES.find(([value]) => value === type)?.[0] ?? 'string',
    isNeeded: isNeeded === true,
    example: String(example ?? ''),
  };
}
