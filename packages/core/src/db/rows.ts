import { Column, getTableName, is, noopDecoder, SQL, type Table } from 'drizzle-orm';

/** Between the names of a nested field: `endpoint.callbackUrl`. */
export const NAME_SEPARATOR = '.';

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/** Selected fields as a builder holds them. */
export interface Fields {
  readonly [key: string]: Column | SQL.Aliased | SQL | Fields;
}

type RawRow = Readonly<Record<string, unknown>>;
type Decode = (row: RawRow) => unknown;

/** How a selected field reads what the database gives. */
export function decoderOf(field: Column | SQL | SQL.Aliased): Decoder {
  if (is(field, Column)) return field;
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  return (expression as unknown as { readonly decoder: Decoder }).decoder;
}

/**
 * Reads rows as the selected fields say. `optionalTables` are those that a LEFT JOIN may leave empty: a nested object
 * with columns of such a table only is null where all of them are.
 */
export function rowDecoder(fields: Fields, optionalTables: ReadonlySet<string>): Decode {
  const names = new Set<string>();
  const { decode, isPlain } = decoderOfGroup(fields, optionalTables, names);
  return isPlain ? (row) => row : decode;
}

interface Group {
  readonly columnNames: readonly string[];
  /** A raw row is the decoded row already. */
  readonly isPlain: boolean;
  readonly decode: Decode;
}

function decoderOfGroup(fields: Fields, optionalTables: ReadonlySet<string>, names: Set<string>): Group {
  const parts = Object.entries(fields).map(([key, field]) => {
    if (!isField(field)) {
      const { decode, columnNames } = decoderOfGroup(field, optionalTables, names);
      const isOptional = isOfOptionalTable(field, optionalTables);
      const isEmpty = (row: RawRow) => columnNames.every((name) => row[name] === null);
      const read: Decode = isOptional ? (row) => (isEmpty(row) ? null : decode(row)) : decode;
      return { key, read, columnNames, isPlain: false };
    }
    const name = nameOf(key, field);
    if (names.has(name)) throw new Error(`Two selected fields are named ${name}.`);
    names.add(name);
    const decoder = decoderOf(field);
    const isPlain = isIdentity(decoder);
    const read: Decode = isPlain
      ? (row) => row[name]
      : (row) => (row[name] === null ? null : decoder.mapFromDriverValue(row[name]));
    return { key, read, columnNames: [name], isPlain: isPlain && name === key };
  });
  return {
    columnNames: parts.flatMap((part) => part.columnNames),
    isPlain: parts.every((part) => part.isPlain),
    decode(row: RawRow) {
      const decoded: Record<string, unknown> = {};
      for (const part of parts) decoded[part.key] = part.read(row);
      return decoded;
    },
  };
}

function isField(field: Fields[string]): field is Column | SQL | SQL.Aliased {
  return is(field, Column) || is(field, SQL) || is(field, SQL.Aliased);
}

function nameOf(key: string, field: Column | SQL | SQL.Aliased): string {
  if (is(field, Column)) return field.name;
  if (is(field, SQL.Aliased)) return field.fieldAlias;
  throw new Error(`The selected expression ${key} has no name: give it one with named().`);
}

function isIdentity(decoder: Decoder): boolean {
  return is(decoder, Column)
    ? decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue
    : decoder === noopDecoder;
}

function isOfOptionalTable(group: Fields, optionalTables: ReadonlySet<string>): boolean {
  const tables = Object.values(group).map((field) => {
    const decoder = isField(field) ? decoderOf(field) : undefined;
    return is(decoder, Column) ? getTableName(decoder.table as Table) : undefined;
  });
  const [first] = tables;
  return first !== undefined && optionalTables.has(first) && tables.every((table) => table === first);
}
