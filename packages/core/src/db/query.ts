import { is, Param, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import type { Database, SqlValue, Statement } from '../kernel/ports/database.ts';
import { type Fields, rowDecoder } from './rows.ts';

const dialect = new SQLiteAsyncDialect();

/** What drizzle's builder made, or SQL that it cannot say. */
type Written = SQLWrapper;

/** A builder that gives rows: a SELECT, or a statement with RETURNING. */
interface Rows extends SQLWrapper {
  readonly _: { readonly result: unknown };
}

type RowOf<Builder extends Rows> = Builder['_']['result'] extends readonly (infer Row)[] ? Row : never;

/** Placeholders by name, with the types of what will be bound to them. */
export type Params<Values> = { readonly [Name in keyof Values & string]: Placeholder<Name, Values[Name]> };

type NoValues = Record<never, never>;
/** A statement without placeholders is filled with nothing. */
type Filling<Values> = keyof Values extends never ? [] : [values: Values];

export interface TypedQuery<Values, Row> {
  /** To run in a transaction with others; `rows` reads its result. */
  statement(...values: Filling<Values>): Statement;
  rows(result: readonly unknown[] | undefined): Row[];
  all(db: Database, ...values: Filling<Values>): Promise<Row[]>;
  first(db: Database, ...values: Filling<Values>): Promise<Row | null>;
}

/**
 * A read that is built at its first use and then filled: building its text each time would take longer than running
 * it, and building all of them as a Worker starts would delay the start. The rows have the type of the selected
 * fields.
 *
 *     const byHandle = query((p: Params<{ handle: string }>) =>
 *       build.select({ id: agents.id }).from(agents).where(eq(agents.handle, p.handle)));
 *     await byHandle.first(market, { handle });
 */
export function query<Builder extends Rows, Values = NoValues>(
  make: (params: Params<Values>) => Builder,
): TypedQuery<Values, RowOf<Builder>> {
  const built = once(() => {
    const builder = make(placeholders());
    return { fill: compile<Values>(withConstantsInText(builder)), decode: decoderFor(builder) };
  });
  return {
    statement: (...values) => built().fill(...values),
    rows: (result) => (result ?? []).map(built().decode),
    all: async (db, ...values) => {
      const { fill, decode } = built();
      return (await db.all<object>(fill(...values))).map(decode);
    },
    first: async (db, ...values) => {
      const { fill, decode } = built();
      const row = await db.first<object>(fill(...values));
      return row === null ? null : decode(row);
    },
  };
}

/** A write that is built at its first use and then filled. */
export function write<Values = NoValues>(
  make: (params: Params<Values>) => Written,
): (...values: Filling<Values>) => Statement {
  const fill = once(() => compile<Values>(withConstantsInText(make(placeholders()))));
  return (...values) => fill()(...values);
}

function once<T>(make: () => T): () => T {
  let result: T | undefined;
  return () => {
    result ??= make();
    return result;
  };
}

/** A statement built for this one use, where its parts depend on what is asked. */
export function toStatement(written: Written): Statement {
  return compile(written.getSQL())();
}

/** Rows of a query built for this one use. */
export async function readAll<Builder extends Rows>(
  db: Database,
  builder: Builder,
): Promise<RowOf<Builder>[]> {
  return (await db.all<object>(toStatement(builder))).map(decoderFor(builder));
}

/** The first row of a query built for this one use. */
export async function readFirst<Builder extends Rows>(
  db: Database,
  builder: Builder,
): Promise<RowOf<Builder> | null> {
  const row = await db.first<object>(toStatement(builder));
  return row === null ? null : decoderFor(builder)(row);
}

/** Any name is a placeholder: only the type knows which there are, so they cannot be listed or spread. */
function placeholders<Values>(): Params<Values> {
  return new Proxy({} as Params<Values>, {
    get: (_, name) => sql.placeholder(String(name)),
    ownKeys: () => {
      throw new Error('Name each parameter: they cannot be listed.');
    },
  });
}

/**
 * Constants become text, so that a partial index whose condition they repeat can be used, and integers stay
 * integers. Only what stands in the code may pass here: what callers give is always bound.
 */
function withConstantsInText(written: Written): SQL {
  return sql`${written.getSQL()}`.inlineParams();
}

/**
 * SQLite looks into a bound LIMIT to plan with it, and so plans the statement anew each time it is run: most of what a
 * short query costs. It does not look into an expression.
 */
const BOUND_LIMIT = /\blimit \?/gi;

function compile<Values>(written: SQL): (...values: Filling<Values>) => Statement {
  const { sql: text, params } = dialect.sqlToQuery(written);
  const sql = text.replaceAll(BOUND_LIMIT, 'LIMIT CAST(? AS INTEGER)');
  const slots = params.map(slotOf);
  return (...[values]) => ({
    sql,
    params: slots.map((slot) => slot((values ?? {}) as Readonly<Record<string, unknown>>)),
  });
}

type Slot = (values: Readonly<Record<string, unknown>>) => SqlValue;

function slotOf(param: unknown): Slot {
  if (is(param, Placeholder)) return (values) => bindable(valueNamed(values, param.name));
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { encoder, value } = param;
    return (values) => {
      const plain = valueNamed(values, (value as Placeholder).name);
      // Null is SQL's NULL for every column: as JSON it would become the text `null`.
      return bindable(plain === null ? null : encoder.mapToDriverValue(plain));
    };
  }
  const constant = bindable(param);
  return () => constant;
}

function valueNamed(values: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`The statement has no value for ${name}.`);
  return value;
}

function bindable(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  throw new Error(`SQL cannot hold a ${typeof value}.`);
}

/** What a builder knows of its own result. Drizzle needs it to read rows, and has no public way to it. */
interface BuilderInside {
  readonly _?: { readonly selectedFields?: Fields };
  readonly config?: { readonly returning?: readonly { path: readonly string[]; field: Fields[string] }[] };
  /** By the table's name: false where a join may leave it empty. */
  readonly joinsNotNullableMap?: Readonly<Record<string, boolean>>;
}

function decoderFor<Builder extends Rows>(builder: Builder): (row: unknown) => RowOf<Builder> {
  const { _: known, config, joinsNotNullableMap } = builder as unknown as BuilderInside;
  const fields = known?.selectedFields ?? fieldsOfReturning(config?.returning ?? []);
  const optional = Object.entries(joinsNotNullableMap ?? {}).filter(([, isThere]) => !isThere);
  return rowDecoder(fields, new Set(optional.map(([table]) => table))) as (row: unknown) => RowOf<Builder>;
}

function fieldsOfReturning(returning: readonly { path: readonly string[]; field: Fields[string] }[]): Fields {
  if (returning.length === 0) throw new Error('The statement gives no rows.');
  return Object.fromEntries(returning.map(({ path, field }) => [path.join(), field]));
}
