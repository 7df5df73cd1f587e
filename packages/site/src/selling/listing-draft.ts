import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { AS_SENT, parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { QUERY_LIMIT } from '@agent-marketplace/protocol/schemas/evaluation.rules.ts';
import { findObjectFault, findSchemaFault } from '@agent-marketplace/protocol/schemas/schema-fault.rules.ts';
import { findWorkFault } from '@agent-marketplace/protocol/schemas/schema-work.rules.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { count, countNoun } from '../format/figures.ts';
import { JSON_FAULTS } from '../query-form/json-faults.ts';
import { parseFields, questionOf } from './question-fields.ts';
import { type PriceTerms, readPriceTerms } from './read-price.ts';

type Input = Operations['createListing']['input'];
export type NewListing = Omit<Input, 'inputSchema' | 'exampleQuery' | 'outputSchema'> & {
  readonly inputSchema?: JsonObject;
  readonly exampleQuery?: JsonObject;
  readonly outputSchema?: JsonObject;
};

export interface ReadDraft {
  /** What was read so far; a preview shows it. */
  readonly listing: Omit<NewListing, 'consent'>;
  /** What is wrong, in words, by the name of the control. */
  readonly faults: ReadonlyMap<string, string>;
}

const MOST_JSON_BYTES = 16 * 1024;
const MOST_TAGS = 20;

type TextAt = (name: string) => string;
type Faults = Map<string, string>;

/** Reads the texts of the form of a listing, and checks all that can be checked before anything is sent. */
export function readDraft(textAt: TextAt): ReadDraft {
  const faults: Faults = new Map();
  const listing = {
    title: readText('title', textAt, faults, { least: 3, most: 200, example: 'Tide tables by harbour' }),
    description: readText('description', textAt, faults, {
      least: 1,
      most: 10_000,
      example: 'High and low water of the day at the harbour that you name.',
    }),
    ...readPriceTerms(textAt, faults),
    preview: readJson('preview', textAt, faults) ?? {},
    ...readKind(textAt, faults),
    fulfilment: textAt('fulfilment') === 'physical' ? ('physical' as const) : ('digital' as const),
    ...readQuestion(textAt, faults),
    ...readAnswer(textAt, faults),
    ...readTags(textAt, faults),
    ...(textAt('notPersonalHealth') === '' ? {} : { notPersonalHealth: true }),
  };
  setFault(faults, 'price', fractionFault(listing));
  return { listing, faults };
}

/** What is shipped or scarce is never bought on a tab, and so never for a fraction of a cent. */
function fractionFault(listing: PriceTerms & Pick<NewListing, 'fulfilment' | 'listingType'>): string | null {
  const { priceMicros, meter, fulfilment, listingType } = listing;
  const isExact = Boolean(priceMicros ?? meter);
  return isExact && (fulfilment !== 'digital' || listingType !== 'standard')
    ? 'What is shipped, or sold a limited number of times, is priced in whole cents for one answer.'
    : null;
}

interface TextRule {
  readonly least: number;
  readonly most: number;
  readonly example: string;
}

function readText(name: string, textAt: TextAt, faults: Faults, { least, most, example }: TextRule): string {
  const text = textAt(name).replaceAll('\r\n', '\n').trim();
  const length = [...text].length;
  if (length < least)
    faults.set(name, `Write at least ${countNoun(least, 'character')}, such as: ${example}`);
  if (length > most)
    faults.set(name, `This has ${count(length)} characters. Shorten it to ${count(most)} or fewer.`);
  return text;
}

function readKind(textAt: TextAt, faults: Faults): Pick<NewListing, 'listingType' | 'maxCopies'> {
  const listingType = (['limited', 'exclusive'] as const).find((one) => one === textAt('listingType'));
  if (listingType !== 'limited') return { listingType: listingType ?? 'standard' };
  const text = textAt('maxCopies').trim();
  const maxCopies = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (maxCopies < 1 || maxCopies > 1_000_000)
    faults.set('maxCopies', 'Write how many may be sold: a whole number from 1 to 1,000,000.');
  return { listingType, maxCopies };
}

function readQuestion(textAt: TextAt, faults: Faults): Pick<NewListing, 'inputSchema' | 'exampleQuery'> {
  if (textAt('question') === 'fields') {
    const fields = parseFields(textAt('fields'));
    const question =
      fields.length === 0
        ? { fault: 'Add a field, or choose that buyers fill in nothing.' }
        : questionOf(fields);
    if (!('fault' in question)) return question;
    faults.set('fields', question.fault);
  }
  if (textAt('question') !== 'schema') return {};
  const inputSchema = readSchema('inputSchema', 'A query', textAt, faults);
  const exampleQuery = readJson('exampleQuery', textAt, faults);
  if (inputSchema && exampleQuery)
    setFault(faults, 'exampleQuery', misfit(inputSchema, exampleQuery, 'The example'));
  if (textAt('inputSchema').trim() === '')
    faults.set('inputSchema', 'Paste the JSON Schema, or describe the fields above instead.');
  return { ...(inputSchema && { inputSchema }), ...(exampleQuery && { exampleQuery }) };
}

/** The sample is held against the schema of answers, as each delivery will be. */
function readAnswer(textAt: TextAt, faults: Faults): Pick<NewListing, 'outputSchema'> {
  const outputSchema = readSchema('outputSchema', 'A deliverable', textAt, faults);
  if (outputSchema === undefined) return {};
  const sample = readJson('preview', textAt, new Map());
  if (sample) setFault(faults, 'preview', misfit(outputSchema, sample, 'The sample'));
  return { outputSchema };
}

/** What in an object does not fit a schema, in words; null: it fits. */
export function misfit(schema: JsonObject, object: JsonObject, what: string): string | null {
  const faults = evaluateSchema(schema, object, QUERY_LIMIT);
  if (faults === null) return 'It takes too many steps to check this. Make the schema simpler.';
  const [first] = faults;
  if (first === undefined) return null;
  const at = first.path.length === 0 ? '' : ` at ${first.path.join('.')}`;
  return `${what} does not fit the schema${at}: ${first.message}`;
}

function readSchema(name: string, what: string, textAt: TextAt, faults: Faults): JsonObject | undefined {
  const schema = readJson(name, textAt, faults);
  if (schema === undefined) return undefined;
  const fault = findSchemaFault(schema) ?? findObjectFault(schema, what) ?? findWorkFault(schema);
  if (fault === null) return schema;
  faults.set(name, fault.path.length === 0 ? fault.message : `${fault.path.join('.')}: ${fault.message}`);
  return undefined;
}

function readJson(name: string, textAt: TextAt, faults: Faults): JsonObject | undefined {
  const text = textAt(name);
  if (text.trim() === '') return undefined;
  const parsed = parseStrictJson(text, AS_SENT);
  if (!parsed.ok) faults.set(name, JSON_FAULTS[parsed.reason]);
  else if (!isJsonObject(parsed.value)) faults.set(name, 'Write one JSON object, in braces { }.');
  else if (new TextEncoder().encode(JSON.stringify(parsed.value)).length > MOST_JSON_BYTES)
    faults.set(name, 'This is longer than 16 KiB. Shorten it.');
  else return parsed.value;
  return undefined;
}

function readTags(textAt: TextAt, faults: Faults): Pick<NewListing, 'contextTags'> {
  const tags = textAt('contextTags')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  if (tags.length === 0) return {};
  if (tags.length > MOST_TAGS || tags.some((tag) => [...tag].length > 50))
    faults.set('contextTags', 'At most 20 words, with commas between them, each of 50 characters or fewer.');
  return { contextTags: tags };
}

function setFault(faults: Faults, name: string, fault: string | null): void {
  if (fault !== null) faults.set(name, fault);
}

/** The control that a field of a refused request belongs to. */
export function controlOf(path: string, question: string): string {
  const field = path.split('.')[0] ?? '';
  if (['priceCents', 'priceMicros', 'meter'].includes(field)) return 'price';
  if ((field === 'inputSchema' || field === 'exampleQuery') && question === 'fields') return 'fields';
  return field;
}
