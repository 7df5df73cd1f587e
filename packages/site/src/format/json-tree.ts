import { type Outline, outline } from './outline.ts';
import { scrolling } from './scrolling.ts';
import { oneLine, visibleText } from './text.ts';

/** So much of an answer of 10 MB is drawn; all of it is in the file that can be saved. */
const MAX_VALUES = 1000;
const MAX_ROWS = 100;
const MAX_COLUMNS = 8;
const MAX_TEXT = 5000;
const MAX_NAME = 120;
/** Deeper levels, and longer lists, are folded. */
const OPEN_DEPTH = 2;
const OPEN_SIZE = 8;
const MAX_DEPTH = 16;

/** JSON by another author, for people: members with their names, rows of alike objects as a table. */
export function jsonTree(value: unknown): Outline {
  return drawValue(value, 0, { left: MAX_VALUES });
}

interface Room {
  left: number;
}

type Row = Readonly<Record<string, unknown>>;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
const more = () => outline('p', { class: 'fine' }, 'There is more: see it as JSON, or save the file.');

function drawValue(value: unknown, depth: number, room: Room): Outline {
  room.left -= 1;
  if (!isContainer(value)) return drawScalar(value);
  if (room.left < 0 || depth > MAX_DEPTH) return more();
  if (Array.isArray(value)) {
    const columns = columnsOf(value);
    return columns === null ? drawList(value, depth, room) : drawTable(value as Row[], columns, room);
  }
  return drawMembers(value as Row, depth, room);
}

function drawScalar(value: unknown): Outline {
  if (typeof value === 'string') {
    const shown = value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
    const text = { class: 'seller-text tree-text', dir: 'auto', ...scrolling(shown, 'Long text') };
    return outline('bdi', text, visibleText(shown));
  }
  return outline(
    'span',
    { class: 'tree-value' },
    value === null ? 'none' : (WORDS[String(value)] ?? String(value)),
  );
}

const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

const nameOf = (name: string): Outline =>
  outline('bdi', { class: 'seller-text', dir: 'auto' }, oneLine(name, MAX_NAME) || '(no name)');

function drawMembers(members: Row, depth: number, room: Room): Outline {
  const parts: Outline[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (room.left <= 0) break;
    parts.push(outline('dt', {}, nameOf(name)), outline('dd', {}, inside(value, depth, room)));
  }
  if (parts.length === 0) return outline('span', { class: 'soft' }, 'nothing in it');
  const isWhole = parts.length === 2 * Object.keys(members).length;
  return outline('div', { class: 'tree' }, outline('dl', {}, ...parts), !isWhole && more());
}

function inside(value: unknown, depth: number, room: Room): Outline {
  const drawn = drawValue(value, depth + 1, room);
  if (!isContainer(value) || Object.keys(value).length === 0) return drawn;
  const size = Object.keys(value).length;
  if (depth + 1 < OPEN_DEPTH && size <= OPEN_SIZE) return drawn;
  const noun = Array.isArray(value) ? 'item' : 'member';
  const summary = outline('summary', {}, `${size} ${noun}${size === 1 ? '' : 's'}`);
  return outline('details', {}, summary, drawn);
}

function drawList(items: readonly unknown[], depth: number, room: Room): Outline {
  const drawn: Outline[] = [];
  for (const item of items.slice(0, MAX_ROWS)) {
    if (room.left <= 0) break;
    drawn.push(outline('li', {}, drawValue(item, depth + 1, room)));
  }
  if (drawn.length === 0) return outline('span', { class: 'soft' }, 'nothing in it');
  return outline(
    'div',
    { class: 'tree' },
    outline('ol', {}, ...drawn),
    drawn.length < items.length && more(),
  );
}

/** The names of the columns, where all items are small objects of plain values; else null. */
function columnsOf(items: readonly unknown[]): string[] | null {
  const shown = items.slice(0, MAX_ROWS);
  const names = new Set<string>();
  for (const item of shown) {
    if (!isContainer(item) || Array.isArray(item)) return null;
    for (const [name, value] of Object.entries(item)) {
      if (isContainer(value)) return null;
      names.add(name);
    }
  }
  return shown.length > 0 && names.size > 0 && names.size <= MAX_COLUMNS ? [...names] : null;
}

function drawTable(rows: readonly Row[], columns: readonly string[], room: Room): Outline {
  const shown = rows.slice(0, MAX_ROWS);
  room.left -= shown.length * columns.length;
  return outline(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': `${rows.length} rows`, tabindex: '0' },
    outline(
      'table',
      {},
      outline(
        'thead',
        {},
        outline(
          'tr',
          {},
          ...columns.map((name) => outline('th', { scope: 'col', ...amountIn(shown, name) }, nameOf(name))),
        ),
      ),
      outline(
        'tbody',
        {},
        ...shown.map((row) =>
          outline(
            'tr',
            {},
            ...columns.map((name) =>
              outline('td', amountIn(shown, name), Object.hasOwn(row, name) ? drawScalar(row[name]) : ''),
            ),
          ),
        ),
      ),
    ),
    shown.length < rows.length && more(),
  );
}

/** A column of numbers stands at the right, with its head. */
function amountIn(rows: readonly Row[], name: string): Readonly<Record<string, string>> {
  return rows.every((row) => typeof row[name] === 'number') ? { class: 'amount' } : {};
}
