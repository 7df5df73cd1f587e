import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Check } from './evaluation.rules.ts';
import { FORMATS } from './formats.rules.ts';
import { isSchema, resolveLocalRef } from './local-ref.rules.ts';
import { missingMember, NOT_ALLOWED, schemaMessage } from './schema-messages.rules.ts';

/** The checks that a keyword stands for; none where it is malformed or says nothing. */
type Keyword = (part: Json, node: JsonObject, compile: (part: Json) => Check) => readonly Check[];

/** A schema as functions: only the keywords that it has cost anything when a value is judged. */
export function compileSchema(root: JsonObject): Check {
  const compiled = new Map<JsonObject, Check>();
  const open = new Set<JsonObject>();

  function compile(node: Json): Check {
    if (typeof node === 'boolean') return node ? FITS : FITS_NOT;
    if (!isJsonObject(node)) return FITS;
    const known = compiled.get(node);
    if (known !== undefined) return known;
    open.add(node);
    const checks = Object.entries(node).flatMap(([name, part]) =>
      Object.hasOwn(KEYWORDS, name) ? (KEYWORDS[name]?.(part, node, compile) ?? []) : [],
    );
    if (node.$ref !== undefined) checks.push(compileRef(node.$ref));
    open.delete(node);
    const check: Check = (evaluation, value) => {
      evaluation.spend(1);
      return evaluation.all(checks, value);
    };
    compiled.set(node, check);
    return check;
  }

  /** Recursion and references to nothing are refused at listing; in older schemas they are passed over. */
  function compileRef(ref: Json): Check {
    const target = resolveLocalRef(root, ref);
    const isRecursive = isJsonObject(target) && open.has(target);
    return !isSchema(target) || isRecursive ? FITS : compile(target);
  }

  return compile(root);
}

const FITS: Check = (evaluation) => {
  evaluation.spend(1);
  return true;
};
const FITS_NOT: Check = (evaluation) => {
  evaluation.spend(1);
  return evaluation.fault(NOT_ALLOWED);
};

const numeric =
  (name: NumericKeyword, isKept: (value: number, bound: number) => boolean): Keyword =>
  (bound) =>
    typeof bound !== 'number'
      ? []
      : [(evaluation, value) => typeof value !== 'number' || evaluation.require(isKept(value, bound), name)];

type NumericKeyword = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf';
type CountKeyword = `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`;

/** A bound of how many characters, items or members there are; `count` gives null for values of other types. */
const countBound =
  (name: CountKeyword, count: (value: Json) => number | null): Keyword =>
  (bound) => {
    if (typeof bound !== 'number') return [];
    const isMinimum = name.startsWith('min');
    return [
      (evaluation, value) => {
        if (typeof value === 'string') evaluation.spendText(value);
        const found = count(value);
        if (isJsonObject(value)) evaluation.spend(found ?? 0);
        return found === null || evaluation.require(isMinimum ? found >= bound : found <= bound, name);
      },
    ];
  };

const characters = (value: Json) => (typeof value === 'string' ? lengthOf(value) : null);
const itemCount = (value: Json) => (Array.isArray(value) ? value.length : null);
const memberCount = (value: Json) => (isJsonObject(value) ? Object.keys(value).length : null);

/** The keywords that are evaluated, beside `$ref`. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  additionalProperties: (part, { properties, patternProperties }, compile) => {
    const known = isJsonObject(properties) ? properties : {};
    // Names that an older schema knows by a pattern are not evaluated: they are no additional ones either.
    if (patternProperties !== undefined) return [];
    const check = compile(part);
    return [
      (evaluation, value) => {
        if (!isJsonObject(value)) return true;
        let isGood = true;
        for (const name of Object.keys(value)) {
          // Listing names and finding them costs more than a check.
          evaluation.spend(2);
          if (Object.hasOwn(known, name)) continue;
          isGood = evaluation.at(name, check, value[name] as Json) && isGood;
        }
        return isGood;
      },
    ];
  },
  allOf: (parts, _, compile) => (Array.isArray(parts) ? parts.map(compile) : []),
  anyOf: (parts, _, compile) => {
    if (!Array.isArray(parts)) return [];
    const checks = parts.map(compile);
    return [
      (evaluation, value) =>
        evaluation.require(
          checks.some((check) => evaluation.quietly(check, value)),
          'anyOf',
        ),
    ];
  },
  const: (only) => [(evaluation, value) => evaluation.require(evaluation.isSame(only, value), 'const')],
  enum: (choices) =>
    Array.isArray(choices)
      ? [
          (evaluation, value) =>
            evaluation.require(
              choices.some((one) => evaluation.isSame(one, value)),
              'enum',
            ),
        ]
      : [],
  exclusiveMaximum: numeric('exclusiveMaximum', (value, bound) => value < bound),
  exclusiveMinimum: numeric('exclusiveMinimum', (value, bound) => value > bound),
  format: (name) => {
    const fits = typeof name === 'string' && Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
    if (fits === undefined) return [];
    return [
      (evaluation, value) => {
        if (typeof value !== 'string') return true;
        evaluation.spendText(value);
        return evaluation.require(fits(value), 'format');
      },
    ];
  },
  if: (condition, { then: good = true, else: other = true }, compile) => {
    const [isMet, whenMet, otherwise] = [compile(condition), compile(good), compile(other)];
    return [
      (evaluation, value) => (evaluation.quietly(isMet, value) ? whenMet : otherwise)(evaluation, value),
    ];
  },
  items: (part, { prefixItems }, compile) => {
    const from = Array.isArray(prefixItems) ? prefixItems.length : 0;
    const check = compile(part);
    return [
      (evaluation, value) => {
        if (!Array.isArray(value)) return true;
        let isGood = true;
        for (let index = from; index < value.length; index += 1)
          isGood = evaluation.at(index, check, value[index]) && isGood;
        return isGood;
      },
    ];
  },
  maximum: numeric('maximum', (value, bound) => value <= bound),
  maxItems: countBound('maxItems', itemCount),
  maxLength: countBound('maxLength', characters),
  maxProperties: countBound('maxProperties', memberCount),
  minimum: numeric('minimum', (value, bound) => value >= bound),
  minItems: countBound('minItems', itemCount),
  minLength: countBound('minLength', characters),
  minProperties: countBound('minProperties', memberCount),
  multipleOf: numeric('multipleOf', isMultiple),
  oneOf: (parts, _, compile) => {
    if (!Array.isArray(parts)) return [];
    const checks = parts.map(compile);
    return [
      (evaluation, value) => {
        const fitting = checks.filter((check) => evaluation.quietly(check, value));
        return evaluation.require(fitting.length === 1, 'oneOf');
      },
    ];
  },
  prefixItems: (parts, _, compile) => {
    if (!Array.isArray(parts)) return [];
    return parts.map(compile).map(
      (check, index): Check =>
        (evaluation, value) => {
          if (!Array.isArray(value) || index >= value.length) return true;
          return evaluation.at(index, check, value[index]);
        },
    );
  },
  properties: (parts, _, compile) => {
    if (!isJsonObject(parts)) return [];
    return Object.entries(parts).map(([name, part]): Check => {
      const check = compile(part);
      return (evaluation, value) =>
        !isJsonObject(value) ||
        !Object.hasOwn(value, name) ||
        evaluation.at(name, check, value[name] as Json);
    });
  },
  required: (names) => {
    if (!Array.isArray(names)) return [];
    return names.map((name): Check => {
      const message = missingMember(name);
      return (evaluation, value) =>
        !isJsonObject(value) || Object.hasOwn(value, name) || evaluation.fault(message);
    });
  },
  type: (type) => {
    const types: readonly Json[] = Array.isArray(type) ? type : [type];
    const message = schemaMessage('type', types);
    return [(evaluation, value) => types.some((one) => isOfType(one, value)) || evaluation.fault(message)];
  },
};

function isOfType(type: Json, value: Json): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'object':
      return isJsonObject(value);
    default:
      return false;
  }
}

/** 0.3 is a multiple of 0.1, though no double of either says so exactly. */
function isMultiple(value: number, factor: number): boolean {
  if (value % factor === 0) return true;
  const quotient = value / factor;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * Number.EPSILON;
}

/** In characters, where `length` counts those beyond U+FFFF twice. */
function lengthOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) pairs += 1;
  return text.length - pairs;
}
