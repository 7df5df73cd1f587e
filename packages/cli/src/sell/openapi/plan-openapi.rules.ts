import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { resolveLocalRef } from '@agent-marketplace/protocol/schemas/local-ref.rules.ts';
import { cleanLine, cleanText } from '../clean-text.rules.ts';
import { type Planned, planFault, type SalePlan } from '../sale-plan.rules.ts';
import { exampleOf } from '../schemas/example-value.rules.ts';
import { toListingSchema } from '../schemas/listing-schema.rules.ts';
import { type FoundOperation, findOperation } from './find-operation.rules.ts';
import { readAnswer } from './read-answer.rules.ts';
import { type Inputs, readInputs } from './read-inputs.rules.ts';
import { readSecurity } from './read-security.rules.ts';
import { readServer } from './read-server.rules.ts';

export interface OpenApiChoice {
  /** An `operationId`, or `GET /cities/{id}`; null: the only one. */
  readonly operation: string | null;
  /** In place of the document's. */
  readonly server: string | null;
  /** Where the document is from; null of a file. */
  readonly documentUrl: string | null;
}

/** How one operation of an OpenAPI 3.1 document is sold. Older documents are brought to 3.1 before. */
export function planOpenApi(document: JsonObject, choice: OpenApiChoice): Planned {
  const found = findOperation(document, choice.operation);
  if (found.kind === 'fault') return found;
  const { operation, pathItem, path, method } = found;
  const foreign = foreignRef([operation, pathItem.parameters ?? null], document);
  if (foreign !== null) {
    const message = `The operation refers to "${cleanLine(foreign, 120)}", which is not in the document.`;
    return planFault(
      message,
      'Put all into one file first: npx @redocly/cli bundle openapi.yaml -o bundled.yaml',
    );
  }
  const server = readServer([operation.servers, pathItem.servers, document.servers], choice);
  if (typeof server !== 'string') return server;
  const security = readSecurity(document, operation);
  const inputs = readInputs(document, found, security.needs);
  if (inputs.kind === 'fault') return inputs;
  const answer = readAnswer(document, operation);
  const isJson = answer.mediaType === 'application/json' || answer.answer === 'text';
  const inputSchema = toListingSchema(inputs.schema, document, 'input');
  const plan: SalePlan = {
    ...wordsOf(document, found),
    upstream: {
      kind: 'http',
      method,
      url: `${server}${path.startsWith('/') ? '' : '/'}${path.split(/[?#]/)[0]}`,
      parameters: [...inputs.parameters],
      fixed: isJson ? [] : [{ in: 'header', name: 'accept', value: answer.mediaType }],
      credentials: [],
      body: inputs.body,
      answer: answer.answer,
    },
    credentialNeeds: [...security.needs, ...inputs.secrets],
    inputSchema,
    outputSchema: answer.schema === null ? null : toListingSchema(answer.schema, document, 'output'),
    exampleQuery: exampleQueryOf(inputs, inputSchema.schema),
    documentedAnswer: answer.example,
    priceCents: null,
    notes: [...security.notes, ...inputs.notes, ...answer.notes, ...(method === 'get' ? [] : [WRITES])],
  };
  return { kind: 'plan', plan };
}

const WRITES =
  'This is no GET: each sale may change something at the upstream. A buyer who asks again for the same purchase gets the kept answer.';

/** A reference out of the document, in a value or in whatever it refers to; null if there is none. */
function foreignRef(value: Json, document: JsonObject): string | null {
  const seen = new Set<Json>();
  const pending: (Json | undefined)[] = [value];
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    const ref = isJsonObject(one) ? one.$ref : undefined;
    if (typeof ref === 'string' && !ref.startsWith('#')) return ref;
    pending.push(...(Object.values(one) as Json[]).toReversed(), resolveLocalRef(document, ref));
  }
  return null;
}

/** Null where a required member cannot be guessed, or what the document shows does not fit. */
function exampleQueryOf({ examples }: Inputs, schema: JsonObject): JsonObject | null {
  const { properties, required } = schema;
  const members: [string, Json][] = [];
  for (const [name, part] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const isRequired = Array.isArray(required) && required.includes(name);
    const candidates = [
      Object.hasOwn(examples, name) ? examples[name] : undefined,
      isRequired ? exampleOf(part) : undefined,
    ];
    const partSchema = isJsonObject(part) ? part : {};
    const value = candidates.find(
      (one) => one !== undefined && evaluateSchema(partSchema, one)?.length === 0,
    );
    if (value !== undefined) members.push([name, value]);
    else if (isRequired) return null;
  }
  return Object.fromEntries(members);
}

function wordsOf(
  document: JsonObject,
  { operation, method, path }: FoundOperation,
): Pick<SalePlan, 'title' | 'description' | 'contextTags'> {
  const info = isJsonObject(document.info) ? document.info : {};
  const api = textOf(info.title);
  const name =
    textOf(operation.summary) ||
    wordsOfId(textOf(operation.operationId)) ||
    `${method.toUpperCase()} ${path}`;
  const title = cleanLine(api === '' || name.includes(api) ? name : `${name} (${api})`, 200);
  const own = cleanText(textOf(operation.description) || name, 6000);
  const about = cleanText(textOf(info.description), 1500);
  const tags = Array.isArray(operation.tags) ? operation.tags : [];
  return {
    title: title.length < 3 ? `${title} data` : title,
    description: [own, ...(about === '' ? [] : [`Of the API ${cleanLine(api, 100)}: ${about}`])].join('\n\n'),
    contextTags: tags
      .map((tag: Json) => cleanLine(textOf(tag), 50))
      .filter((tag) => tag !== '')
      .slice(0, 20),
  };
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '');

/** `getForecastByCity` is "Get forecast by city". */
function wordsOfId(id: string): string {
  const words = id
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean)
    .join(' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
