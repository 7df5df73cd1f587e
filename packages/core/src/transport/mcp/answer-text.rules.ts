import { cutText } from '../../kernel/tools/cut-text.ts';
import type { ToolAnswer, ToolList } from '../../kernel/tools/mcp-binding.ts';

type Members = Readonly<Record<string, unknown>>;

/** Longer texts are in the structured content alone: no model reads one twice. */
const MAX_LINE_CHARACTERS = 160;
/** Of a structure that is told in one line. */
const MAX_JSON_CHARACTERS = 400;
/** Of what was paid for: a host that shows its model the text alone must show it too, where it is short. */
const MAX_DELIVERABLE_CHARACTERS = 2000;
const MAX_TEXT_CHARACTERS = 4000;
const MAX_DEPTH = 2;

/**
 * The answer of a tool in short lines, for a reader. The data is in the structured content; what is too long here says
 * so, with where the whole is.
 */
export function answerText(body: Members, answer: ToolAnswer, baseUrl: string): string {
  const rest: string[] = [];
  const lines = membersOf(body, answer).flatMap(([path, value]) => {
    const list = answer.lists?.find(({ member }) => member === path);
    if (list && Array.isArray(value)) return value.length === 0 ? [] : [`${path}:`, ...rowLines(value, list)];
    if (path === answer.deliverable) return deliverableLine(path, value, rest);
    return linesOf(path, value, rest, 0);
  });
  const kept = within(lines, MAX_TEXT_CHARACTERS);
  if (kept.length < lines.length) rest.push(`${lines.length - kept.length} more lines`);
  if (rest.length === 0) return kept.join('\n');
  return [
    ...kept,
    `Not in this text: ${within(rest, 300, 2).join(', ')}. ${whereTheRestIs(body, answer, baseUrl)}`,
  ].join('\n');
}

/** A refusal, in the order in which a reader needs it. */
export function problemText(problem: Members): string {
  const { code, title, detail, charged, errors, ...more } = problem;
  const faults = Array.isArray(errors) ? errors.map(({ path, message }) => `- ${path}: ${message}`) : [];
  const nextSteps = ['approvalUrl', 'budget'].flatMap((name) => linesOf(name, more[name], [], 0));
  return [
    `Refused (${code}): ${title} ${detail}`,
    ...(charged === undefined ? [] : [`charged: ${charged}`]),
    ...nextSteps,
    ...within(faults, MAX_TEXT_CHARACTERS),
  ].join('\n');
}

export function rowLines(rows: readonly unknown[], { text }: ToolList): string[] {
  return rows.map((row) => {
    const fields = text.flatMap((name) => {
      const value = (row as Members)[name];
      return isSilent(value) ? [] : [`${name} ${scalar(value)}`];
    });
    return `- ${fields.join(', ')}`;
  });
}

function membersOf(body: Members, { text, lists = [] }: ToolAnswer): [path: string, value: unknown][] {
  if (text === undefined) return Object.entries(body);
  const paths = [...text, ...lists.map(({ member }) => member)];
  return ['hint', 'notice', ...paths].map((path) => [path, at(body, path)]);
}

/** What is at `a.b` in the answer. */
function at(body: Members, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Members | null | undefined)?.[name], body);
}

function linesOf(path: string, value: unknown, rest: string[], depth: number): string[] {
  if (isSilent(value)) return [];
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' && value.length > MAX_LINE_CHARACTERS) rest.push(path);
    return [`${path}: ${scalar(value)}`];
  }
  const json = JSON.stringify(value, (_, one) => (isSilent(one) && !Array.isArray(one) ? undefined : one));
  if (json.length <= MAX_JSON_CHARACTERS && !hasLongText(value)) return [`${path}: ${json}`];
  if (Array.isArray(value) || depth === MAX_DEPTH) {
    rest.push(path);
    return [];
  }
  return Object.entries(value).flatMap(([name, one]) => linesOf(`${path}.${name}`, one, rest, depth + 1));
}

/** Whole or not at all: a part of it could pass for the whole. */
function deliverableLine(path: string, value: unknown, rest: string[]): string[] {
  if (value === null || value === undefined) return [];
  const json = JSON.stringify(value);
  if (json.length <= MAX_DELIVERABLE_CHARACTERS) return [`${path}: ${json}`];
  rest.push(`${path} (${json.length} characters of JSON)`);
  return [];
}

/** Nothing, or a proof: signatures are for programs. */
function isSilent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (typeof value !== 'object') return false;
  if (Object.keys(value).length === 0) return true;
  return 'signature' in value || ('receipt' in value && 'platform' in value);
}

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > MAX_LINE_CHARACTERS;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongText);
}

/** A text is quoted: a line break in what a seller wrote must not begin a line of ours. */
function scalar(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const line = cutText(value, MAX_LINE_CHARACTERS);
  return /^[\w.:/@?=&%+#-]*$/.test(line) ? line : JSON.stringify(line);
}

function within(lines: readonly string[], maxCharacters: number, separator = 1): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + separator;
    return length > maxCharacters;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

function whereTheRestIs(body: Members, answer: ToolAnswer, baseUrl: string): string {
  const path = wholePath(body, answer);
  if (path === undefined) return 'It is in structuredContent.';
  return body.hint === undefined
    ? `It is in structuredContent, and at ${baseUrl}${path}.`
    : `More is in structuredContent, and the whole is at ${baseUrl}${path}.`;
}

/** The path of REST that has the whole of an answer. */
export function wholePath(body: Members, { whole }: ToolAnswer): string | undefined {
  return whole?.replaceAll(/\{([\w.]+)\}/g, (_, path: string) => String(at(body, path)));
}
