import {
  isJsonObject,
  isNestedUpTo,
  type Json,
  type JsonObject,
} from '@agent-marketplace/protocol/json/json.ts';
import { resolveLocalRef } from '@agent-marketplace/protocol/schemas/local-ref.rules.ts';
import { findObjectFault, findSchemaFault } from '@agent-marketplace/protocol/schemas/schema-fault.rules.ts';
import { findWorkFault } from '@agent-marketplace/protocol/schemas/schema-work.rules.ts';
import { cleanLine } from '../clean-text.rules.ts';

/** Something of an imported schema that the marketplace does not take. */
export interface DroppedPart {
  /** A keyword, or `recursion` or `depth`. */
  readonly what: string;
  /** Where in the value: `city`, `rows[].name`. */
  readonly place: string;
}

export interface ListingSchema {
  readonly schema: JsonObject;
  readonly dropped: readonly DroppedPart[];
}

/** Whether a schema is of what buyers send or of what they get: `readOnly` and `writeOnly` mean something else there. */
export type Direction = 'input' | 'output';

interface Attempt {
  readonly depth: number;
  readonly longestText: number;
}

/** What a schema may take in a listing, and how deep it may be nested there. */
const MAX_BYTES = 16 * 1024;
const MAX_NESTING = 31;
/** The marketplace takes 1000; what `allOf` adds is room for. */
const MAX_NODES = 900;

const LONGEST_EXAMPLE = 100;

/** From the whole schema to its first level. */
const ATTEMPTS: readonly Attempt[] = [
  { depth: 10, longestText: 1000 },
  { depth: 10, longestText: 120 },
  ...[10, 8, 6, 5, 4, 3, 2, 1].map((depth) => ({ depth, longestText: 0 })),
];

/**
 * A schema of a foreign document as a listing may have it: references are replaced by what they lead to, and what the
 * marketplace does not evaluate is left out and named. It only ever allows more: every value that fits the original
 * fits it.
 *
 * @param document what `#/…` leads into.
 */
export function toListingSchema(schema: Json, document: JsonObject, direction: Direction): ListingSchema {
  for (const attempt of ATTEMPTS) {
    const conversion = new Conversion(document, direction, attempt);
    const converted = conversion.convertRoot(schema);
    if (converted === null) continue;
    const mended = withoutFaults(converted, conversion.dropped);
    const { length } = new TextEncoder().encode(JSON.stringify(mended));
    if (length <= MAX_BYTES && isNestedUpTo(MAX_NESTING, mended))
      return { schema: mended, dropped: conversion.dropped };
  }
  return { schema: { type: 'object' }, dropped: [{ what: 'depth', place: '' }] };
}

/** Taken over as they are. */
const PLAIN = [
  ...['type', 'enum', 'const', 'format', 'required', 'default', 'deprecated', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
];
/** Asserted by 2020-12, and not evaluated by the marketplace. */
const UNSUPPORTED = [
  ...['pattern', 'patternProperties', 'propertyNames', 'not', 'uniqueItems', 'contains', 'minContains'],
  ...['maxContains', 'dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['$dynamicRef'],
];
/** They allow less the more is allowed inside them. */
const SAYS_NOTHING: Readonly<Record<string, Json>> = { uniqueItems: false, unevaluatedProperties: true };

class TooLarge extends Error {}

class Conversion {
  readonly dropped: DroppedPart[] = [];
  readonly #document: JsonObject;
  readonly #direction: Direction;
  readonly #attempt: Attempt;
  readonly #open = new Set<JsonObject>();
  #nodes = 0;

  constructor(document: JsonObject, direction: Direction, attempt: Attempt) {
    this.#document = document;
    this.#direction = direction;
    this.#attempt = attempt;
  }

  /** Null where it is too large. */
  convertRoot(schema: Json): JsonObject | null {
    try {
      const converted = this.#convert(schema, '', 0);
      return isJsonObject(converted) ? converted : {};
    } catch (error) {
      if (error instanceof TooLarge) return null;
      throw error;
    }
  }

  #convert(node: Json, place: string, depth: number): Json {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) throw new TooLarge();
    if (!isJsonObject(node)) return typeof node === 'boolean' ? node : {};
    if (this.#open.has(node)) return this.#cut('recursion', node, place);
    if (depth > 0 && depth >= this.#attempt.depth) {
      const target = node.$ref === undefined ? node : resolveLocalRef(this.#document, node.$ref);
      if (isJsonObject(target) && !isLeaf(target)) return this.#cut('depth', target, place);
    }
    this.#open.add(node);
    const { $ref, ...rest } = node;
    const own = this.#keywords(rest, place, depth);
    const whole = $ref === undefined ? own : this.#merge($ref, own, place, depth);
    this.#open.delete(node);
    return whole;
  }

  /** What a reference leads to, and what stands beside it. */
  #merge(ref: Json, own: JsonObject, place: string, depth: number): Json {
    const target = resolveLocalRef(this.#document, ref);
    if (target === undefined) {
      this.#drop('$ref', place);
      return own;
    }
    const found = this.#convert(target, place, depth);
    if (!isJsonObject(found)) return found;
    const isAnnotated = Object.keys(own).every((name) =>
      ['description', 'title', 'default', 'deprecated'].includes(name),
    );
    return isAnnotated ? { ...found, ...own } : { allOf: [found, own] };
  }

  #keywords(node: JsonObject, place: string, depth: number): JsonObject {
    const kept: Record<string, Json> = {};
    for (const name of PLAIN) if (node[name] !== undefined) kept[name] = node[name];
    for (const name of ['title', 'description']) {
      const text = node[name];
      const { longestText } = this.#attempt;
      if (typeof text === 'string' && longestText > 0 && cleanLine(text, longestText) !== '')
        kept[name] = cleanLine(text, longestText);
    }
    const [example] = Array.isArray(node.examples) ? node.examples : [node.example];
    if (example !== undefined && JSON.stringify(example).length <= LONGEST_EXAMPLE) kept.examples = [example];
    for (const name of UNSUPPORTED)
      if (node[name] !== undefined && node[name] !== SAYS_NOTHING[name]) this.#drop(name, place);
    this.#members(node, kept, place, depth);
    if (isJsonObject(node.items) || typeof node.items === 'boolean')
      kept.items = this.#convert(node.items, `${place}[]`, depth + 1);
    for (const name of ['allOf', 'anyOf', 'oneOf', 'prefixItems'])
      this.#alternatives(name, node, kept, { place, depth });
    this.#condition(node, kept, place, depth);
    return kept;
  }

  #members(node: JsonObject, kept: Record<string, Json>, place: string, depth: number): void {
    const { properties, patternProperties, additionalProperties, required } = node;
    const hidden = new Set<string>();
    if (isJsonObject(properties)) {
      const converted: [string, Json][] = [];
      for (const [name, part] of Object.entries(properties)) {
        const isHidden = this.#isOfOtherDirection(part);
        if (isHidden) hidden.add(name);
        if (isHidden && this.#direction === 'input') continue;
        converted.push([name, this.#convert(part, place === '' ? name : `${place}.${name}`, depth + 1)]);
      }
      kept.properties = Object.fromEntries(converted);
    }
    if (Array.isArray(required)) {
      const names = [...new Set<Json>(required)].filter(
        (name) => typeof name === 'string' && !hidden.has(name),
      );
      if (names.length > 0) kept.required = names;
      else delete kept.required;
    }
    // Names that only a pattern allows would be refused without it.
    const isOpen = patternProperties !== undefined || (hidden.size > 0 && this.#direction === 'input');
    if (additionalProperties === undefined || isOpen) return;
    kept.additionalProperties = this.#convert(additionalProperties, `${place}.*`, depth + 1);
  }

  /** A buyer does not send what the server sets, and is not answered what only requests have. */
  #isOfOtherDirection(part: Json): boolean {
    const target =
      isJsonObject(part) && part.$ref !== undefined ? resolveLocalRef(this.#document, part.$ref) : part;
    return isJsonObject(target) && target[this.#direction === 'input' ? 'readOnly' : 'writeOnly'] === true;
  }

  #alternatives(
    name: string,
    node: JsonObject,
    kept: Record<string, Json>,
    { place, depth }: { place: string; depth: number },
  ): void {
    const parts: Json | undefined = node[name];
    if (!Array.isArray(parts) || parts.length === 0) return;
    const before = this.dropped.length;
    const converted = parts.map((part: Json, index: number) =>
      this.#convert(part, name === 'prefixItems' ? `${place}[${index}]` : place, depth + 1),
    );
    // A shape that allows more may fit beside another one, and then `oneOf` would refuse what fitted one alone.
    const isLoosened = name === 'oneOf' && this.dropped.length > before;
    if (!isLoosened) kept[name] = converted;
    else if (kept.anyOf === undefined) kept.anyOf = converted;
    else kept.allOf = [...(Array.isArray(kept.allOf) ? kept.allOf : []), { anyOf: converted }];
  }

  /** A condition that allows more holds for more values, which `then` might refuse. */
  #condition(node: JsonObject, kept: Record<string, Json>, place: string, depth: number): void {
    if (node.if === undefined) return;
    const before = this.dropped.length;
    const condition = this.#convert(node.if, place, depth + 1);
    if (this.dropped.length > before) {
      this.#drop('if', place);
      return;
    }
    kept.if = condition;
    for (const name of ['then', 'else'])
      if (node[name] !== undefined) kept[name] = this.#convert(node[name], place, depth + 1);
  }

  #cut(what: string, { type }: JsonObject, place: string): JsonObject {
    this.#drop(what, place);
    return type === undefined ? {} : { type };
  }

  #drop(what: string, place: string): void {
    this.dropped.push({ what, place });
  }
}

const isLeaf = (node: JsonObject): boolean =>
  [
    '$ref',
    'properties',
    'items',
    'allOf',
    'anyOf',
    'oneOf',
    'if',
    'prefixItems',
    'additionalProperties',
  ].every((name) => node[name] === undefined || typeof node[name] === 'boolean');

/** Without what the marketplace would still refuse, such as a malformed keyword. */
function withoutFaults(schema: JsonObject, dropped: DroppedPart[]): JsonObject {
  let current = schema;
  for (let round = 0; round < MAX_NODES; round += 1) {
    const fault = findSchemaFault(current) ?? findObjectFault(current, 'The value') ?? findWorkFault(current);
    if (fault === null) return current;
    const { path } = fault;
    dropped.push({ what: path.at(-1) ?? '', place: placeOf(path.slice(0, -1)) });
    current = removeAt(current, path) as JsonObject;
  }
  return { type: 'object' };
}

/** A list or a map of schemas goes as a whole with one of them. */
function removeAt(node: Json, [name, ...rest]: readonly string[]): Json {
  if (name === undefined || !isJsonObject(node)) return node;
  const { [name]: part, ...others } = node;
  if (rest.length === 0 || Array.isArray(part) || !isJsonObject(part)) return others;
  return { ...others, [name]: removeAt(part, rest) };
}

const placeOf = (path: readonly string[]): string =>
  path.filter((name) => !['properties', 'items', 'anyOf', 'allOf', 'oneOf'].includes(name)).join('.');
