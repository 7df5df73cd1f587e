import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { HttpUpstream, UpstreamParameter } from '../../gateway/gateway-config.ts';
import type { CredentialNeed, PlanFault } from '../sale-plan.rules.ts';
import { planFault } from '../sale-plan.rules.ts';
import { dereference, type FoundOperation } from './find-operation.rules.ts';
import { isSecretName } from './read-security.rules.ts';

/** What buyers can send, and where each part of it goes. */
export interface Inputs {
  readonly kind: 'inputs';
  readonly parameters: readonly UpstreamParameter[];
  readonly body: HttpUpstream['body'];
  /** In the document's own dialect, with its references. */
  readonly schema: JsonObject;
  /** Members that the document gives an example of beside the schema. */
  readonly examples: JsonObject;
  /** Secrets that the document has among its parameters. */
  readonly secrets: readonly CredentialNeed[];
  readonly notes: readonly string[];
}

/** The gateway's own, or the connection's. */
const RESERVED_HEADER =
  /^(accept|accept-encoding|authorization|content-type|content-length|cookie|host|connection|expect|te|trailer|transfer-encoding|upgrade|user-agent|forwarded|via|proxy-.*|sec-.*|x-forwarded-.*|x-real-ip|__proto__)$/i;

/** Those are said elsewhere in a document, and OpenAPI has them ignored here. */
const OF_THE_DOCUMENT = /^(accept|authorization|content-type)$/i;

class Reader {
  readonly parameters: UpstreamParameter[] = [];
  readonly members = new Map<string, Json>();
  readonly required: string[] = [];
  readonly examples: [string, Json][] = [];
  readonly secrets: CredentialNeed[] = [];
  readonly notes: string[] = [];
  body: HttpUpstream['body'] = null;
  readonly #document: JsonObject;
  readonly #needs: readonly CredentialNeed[];

  constructor(document: JsonObject, needs: readonly CredentialNeed[]) {
    this.#document = document;
    this.#needs = needs;
  }

  /** A fault where it is required and cannot be sent. */
  addParameter(parameter: JsonObject): PlanFault | null {
    const { name, in: place, description } = parameter;
    if (typeof name !== 'string' || name === '' || name === '__proto__') return null;
    const isRequired = parameter.required === true || place === 'path';
    const skip = (why: string) =>
      isRequired
        ? planFault(`The parameter \`${name}\` (${String(place)}) ${why}, and the operation requires it.`)
        : this.#note(`The parameter \`${name}\` (${String(place)}) is left out: it ${why}.`);
    if (place === 'cookie') return skip('is a cookie');
    if (place !== 'path' && place !== 'query' && place !== 'header') return null;
    if (place === 'header' && RESERVED_HEADER.test(name))
      return OF_THE_DOCUMENT.test(name)
        ? null
        : this.#note(`The header \`${name}\` is left out: it is the connection's own.`);
    if (place === 'header' && !/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return skip('is no name of a header');
    if (place !== 'path' && this.#isSecret(name, place)) return null;
    if (place !== 'path' && isSecretName(name)) return this.#addSecret(name, place, isRequired);
    const content = isJsonObject(parameter.content) ? Object.values(parameter.content)[0] : undefined;
    const schema: Json = (isJsonObject(content) ? content.schema : parameter.schema) ?? {};
    const style =
      content === undefined ? (parameter.style ?? (place === 'query' ? 'form' : 'simple')) : 'json';
    if (!isStyle(style)) return skip(`is written in the style "${String(style)}"`);
    const explode = typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form';
    const target = dereference(this.#document, schema);
    const isObject = isJsonObject(target) && target.type === 'object';
    if (place === 'query' && style === 'form' && explode && isObject)
      return skip('is an object whose members become parameters, whose names a buyer would choose');
    const member = this.#memberFor(name, place);
    this.parameters.push({ member, name, in: place, style, explode });
    this.members.set(member, withDescription(schema, description));
    if (isRequired) this.required.push(member);
    const example =
      exampleAmong(this.#document, parameter) ??
      (isJsonObject(content) ? exampleAmong(this.#document, content) : undefined);
    if (example !== undefined && example !== null) this.examples.push([member, example]);
    return null;
  }

  addBody(requestBody: JsonObject): PlanFault | null {
    const content = isJsonObject(requestBody.content) ? requestBody.content : {};
    const types = Object.keys(content);
    const json =
      types.find((type) => /^application\/json\b|\+json\b/i.test(type)) ??
      types.find((type) => type === '*/*');
    const form = types.find((type) => /^application\/x-www-form-urlencoded\b/i.test(type));
    const type = json ?? form;
    if (type === undefined) {
      if (types.length === 0) return null;
      const what = `takes a body of ${types.slice(0, 3).join(' or ')}: only JSON and forms can be sent`;
      return requestBody.required === true
        ? planFault(`The operation ${what}.`)
        : this.#note(`The operation ${what}. It is left out.`);
    }
    const media = content[type];
    const schema: Json = (isJsonObject(media) ? media.schema : undefined) ?? {};
    const encoding = json === undefined ? 'form' : 'json';
    const example = isJsonObject(media) ? exampleAmong(this.#document, media) : undefined;
    const flat = this.#flatBody(schema);
    if (flat === null) {
      const member = this.#memberFor('body', 'body');
      this.members.set(member, withDescription(schema, requestBody.description));
      if (requestBody.required === true) this.required.push(member);
      if (example !== undefined) this.examples.push([member, example]);
      this.body = { encoding, members: null, member };
      return null;
    }
    for (const [name, part] of Object.entries(flat.properties)) this.members.set(name, part);
    this.required.push(...flat.required);
    if (isJsonObject(example))
      this.examples.push(...Object.entries(example).filter(([name]) => Object.hasOwn(flat.properties, name)));
    this.body = { encoding, members: Object.keys(flat.properties), member: null };
    return null;
  }

  /** The members of a plain object, none of which is called like a parameter; null of any other body. */
  #flatBody(schema: Json): { properties: JsonObject; required: string[] } | null {
    const target = dereference(this.#document, schema);
    if (!isJsonObject(target) || !isJsonObject(target.properties)) return null;
    const isPlain = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties'].every(
      (name) => target[name] === undefined,
    );
    if (!isPlain || isJsonObject(target.additionalProperties) || target.additionalProperties === true)
      return null;
    const isSettable = ([, part]: [string, Json]) => {
      const found = dereference(this.#document, part);
      return !(isJsonObject(found) && found.readOnly === true);
    };
    const properties = Object.fromEntries(Object.entries(target.properties).filter(isSettable));
    if (Object.keys(properties).some((name) => this.members.has(name))) return null;
    const { required } = target;
    const names: readonly Json[] = Array.isArray(required) ? required : [];
    return {
      properties,
      required: names.filter(
        (name) => typeof name === 'string' && Object.hasOwn(properties, name),
      ) as string[],
    };
  }

  #isSecret(name: string, place: string): boolean {
    return [...this.#needs, ...this.secrets].some(
      (need) => need.in === place && need.name.toLowerCase() === name.toLowerCase(),
    );
  }

  #addSecret(name: string, place: 'query' | 'header', isRequired: boolean): null {
    if (isRequired) this.secrets.push({ scheme: name, in: place, name, prefix: '', encoding: 'plain' });
    else
      this.#note(
        `The parameter \`${name}\` (${place}) looks like your key, and buyers do not get it. If the API needs it: --secret '${place}:${name}=VARIABLE'.`,
      );
    return null;
  }

  #memberFor(name: string, place: string): string {
    return this.members.has(name) ? `${place}_${name}` : name;
  }

  #note(text: string): null {
    this.notes.push(text);
    return null;
  }
}

export function readInputs(
  document: JsonObject,
  { operation, pathItem, path }: FoundOperation,
  needs: readonly CredentialNeed[],
): Inputs | PlanFault {
  const reader = new Reader(document, needs);
  for (const parameter of parametersOf(document, pathItem, operation)) {
    const fault = reader.addParameter(parameter);
    if (fault !== null) return fault;
  }
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
    if (reader.parameters.some((one) => one.in === 'path' && one.name === name)) continue;
    // Documents forget it, and the path says that there is one.
    const fault = reader.addParameter({ name, in: 'path', required: true, schema: { type: 'string' } });
    if (fault !== null) return fault;
  }
  const requestBody = dereference(document, operation.requestBody);
  const fault = isJsonObject(requestBody) ? reader.addBody(requestBody) : null;
  if (fault !== null) return fault;
  const { parameters, members, required, examples, secrets, notes, body } = reader;
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(members),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return { kind: 'inputs', parameters, body, schema, examples: Object.fromEntries(examples), secrets, notes };
}

/** Those of the operation replace those of its path. */
function parametersOf(document: JsonObject, ...holders: readonly JsonObject[]): readonly JsonObject[] {
  const all = holders.flatMap(({ parameters }) => (Array.isArray(parameters) ? parameters : []));
  const byKey = new Map<string, JsonObject>();
  for (const one of all.map((parameter: Json) => dereference(document, parameter)))
    if (isJsonObject(one)) byKey.set(`${String(one.in)} ${String(one.name)}`, one);
  return [...byKey.values()];
}

/** `example`, or the first of `examples`. */
export function exampleAmong(document: JsonObject, { example, examples }: JsonObject): Json | undefined {
  if (example !== undefined) return example;
  const first = isJsonObject(examples) ? dereference(document, Object.values(examples)[0]) : undefined;
  return isJsonObject(first) ? first.value : undefined;
}

const STYLES = ['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'] as const;
const isStyle = (style: Json): style is (typeof STYLES)[number] =>
  (STYLES as readonly Json[]).includes(style);

const withDescription = (schema: Json, description: Json | undefined): Json =>
  isJsonObject(schema) && schema.description === undefined && typeof description === 'string'
    ? { ...schema, description }
    : schema;
