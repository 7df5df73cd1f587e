import { RawJson } from '@agent-marketplace/protocol/json/raw-json.ts';
import { cutText, utf8Bytes } from '../../kernel/tools/cut-text.ts';
import type { ToolAnswer, ToolList } from '../../kernel/tools/mcp-binding.ts';
import { answerText, rowLines, wholePath } from './answer-text.rules.ts';

type Members = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

/** Of a whole result, where the caller named no `limit`. */
export const MAX_ANSWER_BYTES = 8000;
/** What is around the answer and its text: the provenance, inside and in `_meta`, the hint, and JSON-RPC. */
const AROUND_BYTES = 1500;
/** Of a text that is cut short. */
const MAX_CUT_CHARACTERS = 1200;
/** Leaving out less makes no room. */
const LEAST_CUT_BYTES = 200;

/**
 * The answer of an operation as its tool gives it. Without `limit` it has as many rows as there is room for; with it, as
 * many as were asked for, and shorter ones where there is no room.
 */
export function shortAnswer(output: object, answer: ToolAnswer, limit: number | null): object {
  const body = selected(output as Members, answer);
  const { lists = [] } = answer;
  if (lists.length === 0) return cutToRoom(body, answer);
  const full = lists.map(({ member }) => rowsOf(body[member]));
  const rowsOfPage = lists.map((list, index) => (full[index] ?? []).slice(0, rowsOfCall(list, limit)));
  const short = lists.map((list, index) =>
    (rowsOfPage[index] ?? []).map((row) => (list.row ? list.row(row) : row) as Row),
  );
  const rowless = { ...body, ...Object.fromEntries(lists.map(({ member }) => [member, []])) };
  const text = answerText(rowless, answer, '');
  const room =
    MAX_ANSWER_BYTES - AROUND_BYTES - utf8Bytes(JSON.stringify(rowless)) - utf8Bytes(JSON.stringify(text));
  const rows =
    limit === null && lists.every(({ rows: usual }) => usual !== 'all')
      ? droppedTo(room, lists, short)
      : leastTo(room, lists, short);
  const filled = { ...body, ...Object.fromEntries(lists.map(({ member }, index) => [member, rows[index]])) };
  return continued(filled, lists, full, rows);
}

/** Cuts what an answer can do without, until there is room for the rest. */
function cutToRoom(body: Members, answer: ToolAnswer): Members {
  const isTooLong = (one: Members) =>
    utf8Bytes(JSON.stringify(one)) + utf8Bytes(JSON.stringify(answerText(one, answer, ''))) >
    MAX_ANSWER_BYTES - AROUND_BYTES;
  const cut: string[] = [];
  let rest = body;
  for (const path of answer.expendable ?? []) {
    if (!isTooLong(rest)) break;
    const shorter = withCut(rest, path.split('.'));
    if (shorter === rest) continue;
    rest = shorter;
    cut.push(`\`${path}\``);
  }
  if (cut.length === 0) return body;
  return {
    ...rest,
    hint: `Too long, and cut or left out: ${cut.join(', ')}. Whole: GET ${wholePath(body, answer)}`,
  };
}

function withCut(body: Members, [name = '', ...rest]: readonly string[]): Members {
  const { [name]: value, ...others } = body;
  if (value === undefined || utf8Bytes(JSON.stringify(value)) < LEAST_CUT_BYTES) return body;
  if (rest.length > 0) {
    const part = withCut(value as Members, rest);
    return part === value ? body : { ...body, [name]: part };
  }
  if (typeof value !== 'string') return others;
  const short = cutText(value, MAX_CUT_CHARACTERS);
  return short.length < value.length ? { ...body, [name]: short } : body;
}

function rowsOfCall({ rows }: ToolList, limit: number | null): number {
  return rows === 'all' ? Number.POSITIVE_INFINITY : (limit ?? rows);
}

function selected(output: Members, { members, parts = {} }: ToolAnswer): Members {
  const entries = Object.entries(output)
    .filter(([name]) => members === undefined || members.includes(name))
    .map(([name, value]) => [name, parts[name] && value !== null ? parts[name](plain(value)) : value]);
  return Object.fromEntries(entries);
}

function rowsOf(value: unknown): readonly Row[] {
  const rows = plain(value);
  return Array.isArray(rows) ? rows : [];
}

/** Lists may come serialised already. */
function plain(value: unknown): unknown {
  return value instanceof RawJson ? JSON.parse(new TextDecoder().decode(value.bytes)) : value;
}

const bytesOf = (row: Row, list: ToolList) =>
  utf8Bytes(JSON.stringify(row)) + utf8Bytes(JSON.stringify(rowLines([row], list)));

/** The longest list loses its last row until there is room; a list that can be continued keeps one. */
function droppedTo(room: number, lists: readonly ToolList[], all: readonly (readonly Row[])[]): Row[][] {
  const kept = all.map((rows) => [...rows]);
  const sizes = all.map((rows, index) => rows.map((row) => bytesOf(row, lists[index] as ToolList)));
  const total = () => sizes.flat().reduce((sum, size) => sum + size, 0);
  while (total() > room) {
    const lengths = sizes.map((list) => (list.length > 1 ? list.reduce((sum, size) => sum + size, 0) : 0));
    const longest = lengths.indexOf(Math.max(...lengths));
    if (lengths[longest] === 0) break;
    kept[longest]?.pop();
    sizes[longest]?.pop();
  }
  return kept;
}

function leastTo(room: number, lists: readonly ToolList[], all: readonly (readonly Row[])[]): Row[][] {
  const total = all.flatMap((rows, index) => rows.map((row) => bytesOf(row, lists[index] as ToolList)));
  if (total.reduce((sum, size) => sum + size, 0) <= room) return all.map((rows) => [...rows]);
  return all.map((rows, index) => {
    const { least } = lists[index] as ToolList;
    if (least === undefined) return [...rows];
    return rows.map((row) =>
      Object.fromEntries(least.filter((name) => name in row).map((name) => [name, row[name]])),
    );
  });
}

/** Says how many rows there are, and how the others are had. */
function continued(
  body: Members,
  lists: readonly ToolList[],
  full: readonly (readonly Row[])[],
  rows: readonly (readonly Row[])[],
): object {
  const hints: string[] = [];
  let answer = body;
  for (const [index, list] of lists.entries()) {
    const count = rows[index]?.length ?? 0;
    const isCut = count < (full[index]?.length ?? 0);
    const { next } = list;
    if (next === undefined) {
      if (isCut) hints.push(`More of \`${list.member}\`: send a higher \`limit\`.`);
      continue;
    }
    if ('member' in next) {
      if (isCut) answer = { ...answer, [next.member]: rows[index]?.at(-1)?.[next.field] };
      continue;
    }
    const end = Number(body.offset) + count;
    const hasMore = isCut || next.offset(body, end);
    answer = { ...answer, limit: count, nextOffset: hasMore ? end : null };
    if ('hasMore' in body) answer = { ...answer, hasMore };
    if (hasMore) hints.push(`More: \`offset\` ${end}.${list.narrow === undefined ? '' : ` ${list.narrow}`}`);
  }
  return hints.length === 0 ? answer : { ...answer, hint: hints.join(' ') };
}
