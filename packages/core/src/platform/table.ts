import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { numberIn } from './query.ts';
import { list, object, schemaDocument, text, whole } from './schema.ts';

/** One query parameter of a table: which column it looks at, and how. */
interface Filter {
  readonly column: string;
  readonly says: string;
  readonly matches: (cell: Json, value: Json) => boolean;
  /** A key names one thing: asking for one that is not in the table makes the answer unavailable, not empty. */
  readonly isKey: boolean;
}

export interface TableDeclaration {
  /** Column names with their schemas, in the order of the cells. */
  readonly columns: Readonly<Record<string, JsonObject>>;
  readonly rows: readonly (readonly Json[])[];
  readonly filters: Readonly<Record<string, Filter>>;
  /** Travels with every answer when given. */
  readonly notice?: string;
}

interface Table {
  readonly rows: readonly JsonObject[];
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  answer(query: JsonObject): JsonObject | null;
}

function fold(value: Json): Json {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function equalOrAmong(cell: Json, value: Json): boolean {
  return Array.isArray(cell)
    ? cell.some((item: Json) => fold(item) === fold(value))
    : fold(cell) === fold(value);
}

/** Equal, ignoring letter case; for a list column, one of its items is equal. */
export function equals(column: string): Filter {
  return { column, says: 'Only rows where it is this', matches: equalOrAmong, isKey: false };
}

/** Like `equals`, for a column that identifies a row. `aliases` are other lower-case spellings of a value. */
export function key(column: string, aliases: Readonly<Record<string, string>> = {}): Filter {
  const spelled = new Map(Object.entries(aliases));
  const matches = (cell: Json, value: Json) =>
    equalOrAmong(cell, typeof value === 'string' ? (spelled.get(value.toLowerCase()) ?? value) : value);
  return { column, says: 'Only the row with this', matches, isKey: true };
}

/** Equal including letter case: for symbols, where case carries meaning. */
export function exactly(column: string): Filter {
  return {
    column,
    says: 'Only rows with exactly this, in this letter case',
    matches: (cell, value) => cell === value,
    isKey: true,
  };
}

export function contains(column: string): Filter {
  return {
    column,
    says: 'Only rows containing this, ignoring letter case',
    matches: (cell, value) =>
      typeof cell === 'string' &&
      typeof value === 'string' &&
      cell.toLowerCase().includes(value.toLowerCase()),
    isKey: false,
  };
}

function ordered(cell: Json, value: Json, holds: (order: number) => boolean): boolean {
  if (typeof cell === 'number' && typeof value === 'number') return holds(cell - value);
  // Dates: ISO text sorts as time does.
  if (typeof cell === 'string' && typeof value === 'string')
    return holds(cell < value ? -1 : cell > value ? 1 : 0);
  return false;
}

export function atLeast(column: string): Filter {
  return {
    column,
    says: 'Only rows from this value up',
    matches: (cell, value) => ordered(cell, value, (order) => order >= 0),
    isKey: false,
  };
}

export function atMost(column: string): Filter {
  return {
    column,
    says: 'Only rows up to this value',
    matches: (cell, value) => ordered(cell, value, (order) => order <= 0),
    isKey: false,
  };
}

/** The schema of what a filter compares with: of a nullable column its value, of a list column its items. */
function comparedSchema(schema: JsonObject): JsonObject {
  const first = Array.isArray(schema.anyOf) ? schema.anyOf[0] : schema.items;
  return isJsonObject(first) ? first : schema;
}

function filterSchema(filter: Filter, columns: TableDeclaration['columns']): JsonObject {
  const column = columns[filter.column];
  if (column === undefined) throw new Error(`filter on unknown column ${filter.column}`);
  const schema = comparedSchema(column);
  const about = typeof schema.description === 'string' ? schema.description : filter.column;
  return { ...schema, description: `${filter.says}. ${about}` };
}

/** A table that answers queries: filters are combined with "and", `offset` and `limit` page through what is left. */
export function table({ columns, rows, filters, notice }: TableDeclaration): Table {
  const names = Object.keys(columns);
  const records = rows.map((row): JsonObject => {
    if (row.length !== names.length)
      throw new Error(`a row has ${row.length} cells for ${names.length} columns`);
    return Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));
  });
  const parameters = Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [name, filterSchema(filter, columns)]),
  );
  const remark = notice === undefined ? {} : { notice };

  return {
    rows: records,
    inputSchema: schemaDocument(
      {
        ...parameters,
        offset: whole('Matching rows to skip, 0 by default.', { minimum: 0 }),
        limit: whole('Most rows to return, all by default.', { minimum: 1 }),
      },
      [],
    ),
    outputSchema: schemaDocument({
      ...(notice === undefined ? {} : { notice: text('What this data is.') }),
      total: whole('Matching rows, before offset and limit.', { minimum: 0 }),
      rows: list(object(columns), 'The matching rows.'),
    }),
    answer(query) {
      let matching: readonly JsonObject[] = records;
      for (const [name, { column, matches, isKey }] of Object.entries(filters)) {
        const value = query[name];
        if (value === undefined) continue;
        const holds = (record: JsonObject) => matches(record[column] ?? null, value);
        if (isKey && !records.some(holds)) return null;
        matching = matching.filter(holds);
      }
      const offset = numberIn(query, 'offset', 0);
      const limit = numberIn(query, 'limit', records.length);
      return { ...remark, total: matching.length, rows: matching.slice(offset, offset + limit) };
    },
  };
}
