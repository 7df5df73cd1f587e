import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { HttpUpstream } from '../../gateway/gateway-config.ts';
import { exampleOf } from '../schemas/example-value.rules.ts';
import { dereference } from './find-operation.rules.ts';
import { exampleAmong } from './read-inputs.rules.ts';

export interface AnswerForm {
  readonly answer: HttpUpstream['answer'];
  /** Of the object that is sold, in the document's own dialect; null where the document has none. */
  readonly schema: JsonObject | null;
  readonly example: Json | undefined;
  /** What to accept. */
  readonly mediaType: string;
  readonly notes: readonly string[];
}

/** What an operation answers when all is well. */
export function readAnswer(document: JsonObject, operation: JsonObject): AnswerForm {
  const responses = isJsonObject(operation.responses) ? operation.responses : {};
  const good = Object.keys(responses).filter((status) => /^2/.test(status));
  const status = good.includes('200') ? '200' : (good.toSorted()[0] ?? 'default');
  const response = dereference(document, responses[status]);
  const content = isJsonObject(response) && isJsonObject(response.content) ? response.content : {};
  const types = Object.keys(content);
  const json =
    types.find((type) => /^application\/json\b/i.test(type)) ??
    types.find((type) => /json\b/i.test(type)) ??
    types.find((type) => type === '*/*');
  const text = types.find((type) =>
    /^text\/(plain|csv|tab-separated-values|markdown|xml)\b|[/+]xml\b/i.test(type),
  );
  if (json === undefined && text !== undefined)
    return {
      answer: 'text',
      schema: TEXT,
      example: undefined,
      mediaType: text,
      notes: [`It answers ${text}: the text is sold as the member \`text\`.`],
    };
  const media = json === undefined ? undefined : content[json];
  const mediaType = json === undefined || json === '*/*' ? 'application/json' : json;
  const schema = isJsonObject(media) && media.schema !== undefined ? media.schema : null;
  const target = dereference(document, schema ?? undefined);
  const said = isJsonObject(media) ? exampleAmong(document, media) : undefined;
  const example = said ?? (isJsonObject(target) ? exampleOf(target) : undefined);
  const isList = isJsonObject(target) ? target.type === 'array' : Array.isArray(example);
  if (!isList) {
    const isObject =
      isJsonObject(target) && target.type === undefined
        ? true
        : isJsonObject(target) && [target.type].flat().includes('object');
    return {
      answer: 'object',
      schema: isObject ? (schema as JsonObject) : null,
      example,
      mediaType,
      notes: [],
    };
  }
  return {
    answer: 'items',
    schema: schema === null ? null : { type: 'object', properties: { items: schema }, required: ['items'] },
    example,
    mediaType,
    notes: ['It answers a list, which is sold as the member `items`.'],
  };
}

const TEXT: JsonObject = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
