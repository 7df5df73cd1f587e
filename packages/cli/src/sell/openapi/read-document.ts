import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { readInput } from '../../frame/arguments.ts';
import { CliFailure } from '../../frame/cli-failure.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { fetchText } from '../fetch-text.ts';

export interface OpenApiDocument {
  /** As OpenAPI 3.1, whatever it was. */
  readonly document: JsonObject;
  /** Where it is from; null of a file. */
  readonly documentUrl: string | null;
}

/**
 * An OpenAPI document of version 3.0, 3.1 or 2 (Swagger), as JSON or YAML, from a file, a URL or stdin (`-`).
 *
 * @throws CliFailure with what it is instead.
 */
export async function readDocument(
  source: string,
  terminal: Pick<Terminal, 'stdin'>,
): Promise<OpenApiDocument> {
  const isUrl = /^https?:\/\//i.test(source);
  const { text, documentUrl } = isUrl
    ? await download(source)
    : { text: await readInput(source, terminal), documentUrl: null };
  const fail = (what: string, hint: string | null = null) =>
    new CliFailure('usage', `${source} ${what}`, { hint });
  if (/^\s*<(!doctype|html|\?xml)/i.test(text))
    throw fail(
      'is a page, and not an OpenAPI document.',
      'Give the address of its openapi.json or openapi.yaml.',
    );
  const value = await parse(text);
  if (value === undefined) throw fail('is neither JSON nor YAML.');
  if (!isJsonObject(value)) throw fail('is not an OpenAPI document.');
  const version = value.openapi ?? value.swagger;
  if (typeof version !== 'string' && typeof version !== 'number')
    throw fail('is not an OpenAPI document: it says neither `openapi` nor `swagger`.');
  if (!/^(2\.0|2|3\.[012](\.\d+)?)$/.test(String(version)))
    throw fail(`is of version ${String(version).slice(0, 20)} of OpenAPI. 2.0, 3.0 and 3.1 can be read.`);
  try {
    const { upgrade } = await import('@scalar/openapi-upgrader');
    return {
      document: upgrade(value as Record<string, unknown>, '3.1') as unknown as JsonObject,
      documentUrl,
    };
  } catch {
    throw fail(
      'is an OpenAPI document that is broken: it cannot be brought to version 3.1.',
      'See what is wrong: npx @redocly/cli lint',
    );
  }
}

async function download(url: string): Promise<{ text: string; documentUrl: string }> {
  const {
    text,
    status,
    url: documentUrl,
  } = await fetchText(url, { headers: { accept: 'application/json, application/yaml, */*;q=0.5' } });
  if (status !== 200)
    throw new CliFailure('usage', `${url} answered HTTP ${status}, and not with a document.`);
  return { text, documentUrl };
}

async function parse(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // What begins like JSON is meant to be.
    if (/^\s*[{[]/.test(text)) return undefined;
  }
  const { parseYaml } = await import('./parse-yaml.ts');
  try {
    // Dates and the like stay texts, as JSON has them.
    return JSON.parse(JSON.stringify(parseYaml(text, { schema: 'core', maxAliasCount: 1000 })));
  } catch {
    return undefined;
  }
}
