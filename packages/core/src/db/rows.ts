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
  const { decode, isPlain } = groupDecoder(fields, optionalTables, new Set());
  return isPlain ? (row) => row : decode;
}

interface Group {
  readonly columnNames: readonly string[];
  /** A raw row is the decoded row already. */
  readonly isPlain: boolean;
  readonly decode: Decode;
}

function groupDecoder(fields: Fields, optionalTables: ReadonlySet<string>, allNames: Set<string>): Group {
  // By position, in lists of their own: this loop runs for every field of every row.
  const keys: string[] = [];
  const names: string[] = [];
  const decoders: { readonly key: string; readonly decoder: Decoder }[] = [];
  const groups: { readonly key: string; readonly group: Group; readonly isOptional: boolean }[] = [];
  for (const [key, field] of Object.entries(fields)) {
    if (isField(field)) {
      const name = nameOf(key, field);
      if (allNames.has(name)) throw new Error(`Two selected fields are named ${name}.`);
      allNames.add(name);
      keys.push(key);
      names.push(name);
      const decoder = decoderOf(field);
      if (!isIdentity(decoder)) decoders.push({ key, decoder });
    } else {
      const isOptional = isOfOptionalTable(field, optionalTables);
      groups.push({ key, group: groupDecoder(field, optionalTables, allNames), isOptional });
    }
  }
  const isSameAsRow = groups.length === 0 && keys.every((key, index) => key === names[index]);

  function copy(row: RawRow): Record<string, unknown> {
    if (isSameAsRow) return { ...row };
    const decoded: Record<string, unknown> = {};
    for (let index = 0; index < keys.length; index += 1) {
      decoded[keys[index] as string] = row[names[index] as string];
    }
    return decoded;
  }

  return {
    columnNames: [...names, ...groups.flatMap(({ group }) => group.columnNames)],
    isPlain: isSameAsRow && decoders.length === 0,
    decode(row) {
      const decoded = copy(row);
      for (const { key, decoder } of decoders) {
        if (decoded[key] !== null) decoded[key] = decoder.mapFromDriverValue(decoded[key]);
      }
      for (const { key, group, isOptional } of groups) {
        const isEmpty = isOptional && group.columnNames.every((name) => row[name] === null);
        decoded[key] = isEmpty ? null : group.decode(row);
      }
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
