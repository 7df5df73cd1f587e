/** A query that Workers Analytics Engine would refuse. */
export class AnalyticsSqlError extends Error {}

/** A query of the SQL API as SQLite runs it over a table of the same columns. */
export interface TranslatedQuery {
  readonly dataset: string;
  readonly sql: string;
  /** The columns of the answer with their types, in order. */
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
}

type ColumnType = 'String' | 'Float64' | 'UInt64' | 'UInt32' | 'DateTime';

interface Part {
  readonly sql: string;
  readonly type: ColumnType;
  readonly isAggregate: boolean;
  /** The columns that it reads outside of an aggregate. */
  readonly columns: readonly string[];
}

const TOKEN = /\s*(?:([A-Za-z_]\w*)|(\d+(?:\.\d+)?)|'([^'\\]*)'|(!=|<>|>=|<=|[(),*/+\-<>=]))/y;
const SECONDS = { SECOND: 1, MINUTE: 60, HOUR: 3600, DAY: 86_400, WEEK: 604_800 } as const;
const KEYWORDS = new Set([
  'FROM',
  'WHERE',
  'GROUP',
  'BY',
  'ORDER',
  'LIMIT',
  'FORMAT',
  'AS',
  'AND',
  'OR',
  'ASC',
  'DESC',
  'SELECT',
  'INTERVAL',
]);

interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'sign';
  readonly text: string;
}

function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  const text = query.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const [, word, number, quoted, sign] = TOKEN.exec(text) ?? [];
    if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else throw new AnalyticsSqlError(`unable to parse the query at ${at}`);
  }
  return tokens;
}

/** The columns that every dataset has. */
function columnType(name: string): ColumnType | null {
  if (name === 'timestamp') return 'DateTime';
  if (name === '_sample_interval') return 'UInt32';
  if (name === 'dataset' || name === 'index1' || /^blob([1-9]|1\d|20)$/.test(name)) return 'String';
  return /^double([1-9]|1\d|20)$/.test(name) ? 'Float64' : null;
}

const isNumber = (type: ColumnType) => type === 'Float64' || type === 'UInt32' || type === 'UInt64';

/**
 * The part of Cloudflare's dialect that is played here: SELECT … FROM … WHERE … GROUP BY … ORDER BY … LIMIT … FORMAT JSON
 * with the functions below. Anything else is refused, and so is what Cloudflare refuses: a column that is not there, values
 * of different types compared, a column that is neither grouped by nor aggregated, an interval that is not in quotes.
 */
export function translate(query: string): TranslatedQuery {
  const tokens = tokensOf(query);
  let at = 0;
  const peek = () => tokens[at];
  const refuse = (why: string): never => {
    throw new AnalyticsSqlError(why);
  };
  const next = (): Token => tokens[at++] ?? refuse('unexpected end of the query');
  const isWord = (word: string) => peek()?.kind === 'word' && peek()?.text.toUpperCase() === word;
  const isSign = (sign: string) => peek()?.kind === 'sign' && peek()?.text === sign;
  const accept = (text: string): boolean => {
    if (!isWord(text) && !isSign(text)) return false;
    at += 1;
    return true;
  };
  const need = (text: string): void => {
    if (!accept(text)) refuse(`expected ${text}, found ${peek()?.text ?? 'the end'}`);
  };
  const name = (): string => {
    const token = next();
    if (token.kind !== 'word' || KEYWORDS.has(token.text.toUpperCase())) refuse(`unexpected ${token.text}`);
    return token.text;
  };

  const aliases = new Map<string, Part>();

  function interval(): number {
    need('INTERVAL');
    const amount = next();
    if (amount.kind !== 'text' || !/^\d+$/.test(amount.text)) refuse('an INTERVAL takes a number in quotes');
    const unit = next().text.toUpperCase();
    const seconds = SECONDS[unit as keyof typeof SECONDS] ?? refuse(`unknown unit ${unit}`);
    return Number(amount.text) * seconds;
  }

  function aggregate(sql: string, type: ColumnType, ...parts: readonly Part[]): Part {
    if (parts.some(({ isAggregate }) => isAggregate)) refuse('an aggregate in an aggregate');
    return { sql, type, isAggregate: true, columns: [] };
  }

  function numeric(part: Part): Part {
    return isNumber(part.type) ? part : refuse(`expected a number, found ${part.type}`);
  }

  function call(word: string): Part {
    need('(');
    switch (word.toUpperCase()) {
      case 'COUNT': {
        accept('*');
        need(')');
        return aggregate('COUNT(*)', 'UInt64');
      }
      case 'SUM': {
        const summed = numeric(expression());
        need(')');
        return aggregate(`SUM(${summed.sql})`, summed.type === 'Float64' ? 'Float64' : 'UInt64', summed);
      }
      case 'SUMIF': {
        const summed = numeric(expression());
        need(',');
        const condition = expression();
        need(')');
        const sql = `SUM(CASE WHEN ${condition.sql} THEN ${summed.sql} ELSE 0 END)`;
        return aggregate(sql, summed.type === 'Float64' ? 'Float64' : 'UInt64', summed, condition);
      }
      case 'QUANTILEEXACTWEIGHTED': {
        const share = Number(next().text);
        if (!(share >= 0 && share <= 1)) refuse('a quantile is between 0 and 1');
        need(')');
        need('(');
        const value = numeric(expression());
        need(',');
        const weight = numeric(expression());
        need(')');
        return aggregate(
          `quantile_weighted(${share}, ${value.sql}, ${weight.sql})`,
          'Float64',
          value,
          weight,
        );
      }
      case 'TODATETIME': {
        const { kind, text } = next();
        need(')');
        const epoch =
          kind === 'text' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)
            ? Date.parse(`${text.replace(' ', 'T')}Z`)
            : Number.NaN;
        if (Number.isNaN(epoch)) refuse('unable to parse the time');
        return { sql: String(epoch / 1000), type: 'DateTime', isAggregate: false, columns: [] };
      }
      case 'TOSTARTOFINTERVAL': {
        const time = expression();
        if (time.type !== 'DateTime') refuse(`expected a time, found ${time.type}`);
        need(',');
        const seconds = interval();
        need(')');
        // Numbers are bound as REAL: a plain division would keep the seconds.
        return { ...time, sql: `(CAST(${time.sql} / ${seconds} AS INTEGER) * ${seconds})` };
      }
      case 'TOUNIXTIMESTAMP': {
        const time = expression();
        if (time.type !== 'DateTime') refuse(`expected a time, found ${time.type}`);
        need(')');
        return { ...time, type: 'UInt32' };
      }
      default:
        return refuse(`unknown function ${word}`);
    }
  }

  function primary(): Part {
    if (accept('(')) {
      const inner = expression();
      need(')');
      return { ...inner, sql: `(${inner.sql})` };
    }
    const token = next();
    const fixed = { isAggregate: false, columns: [] };
    if (token.kind === 'number') return { ...fixed, sql: token.text, type: 'Float64' };
    if (token.kind === 'text') return { ...fixed, sql: `'${token.text}'`, type: 'String' };
    if (token.kind === 'sign' || KEYWORDS.has(token.text.toUpperCase()))
      return refuse(`unexpected ${token.text}`);
    if (isSign('(')) return call(token.text);
    const known = aliases.get(token.text);
    if (known) return known;
    const type = columnType(token.text) ?? refuse(`unable to find type of column ${token.text}`);
    return { sql: token.text, type, isAggregate: false, columns: [token.text] };
  }

  function combine(left: Part, right: Part, sql: string, type: ColumnType): Part {
    const isAggregate = left.isAggregate || right.isAggregate;
    return { sql, type, isAggregate, columns: [...left.columns, ...right.columns] };
  }

  function arithmetic(): Part {
    let left = primary();
    for (const sign of ['*', '/', '+', '-']) {
      while (accept(sign)) {
        const [a, b] = [numeric(left), numeric(primary())];
        left = combine(a, b, `(1.0 * ${a.sql} ${sign} ${b.sql})`, 'Float64');
      }
    }
    return left;
  }

  function comparison(): Part {
    const left = arithmetic();
    const sign = ['!=', '<>', '>=', '<=', '=', '>', '<'].find((one) => isSign(one));
    if (sign === undefined) return left;
    next();
    const right = arithmetic();
    if (left.type !== right.type && !(isNumber(left.type) && isNumber(right.type)))
      refuse(`${left.type} and ${right.type} cannot be compared`);
    return combine(left, right, `${left.sql} ${sign} ${right.sql}`, 'UInt32');
  }

  function expression(): Part {
    let left = comparison();
    for (;;) {
      const word = ['AND', 'OR'].find((one) => isWord(one));
      if (word === undefined) return left;
      next();
      const right = comparison();
      left = combine(left, right, `${left.sql} ${word} ${right.sql}`, 'UInt32');
    }
  }

  need('SELECT');
  const selected: { name: string; part: Part }[] = [];
  do {
    const part = expression();
    const alias = accept('AS') ? name() : (part.columns[0] ?? refuse('a computed column needs a name'));
    selected.push({ name: alias, part });
  } while (accept(','));
  need('FROM');
  const dataset = name();
  const where = accept('WHERE') ? expression() : null;
  if (where?.isAggregate) refuse('WHERE with an aggregate');
  for (const { name: alias, part } of selected) aliases.set(alias, part);
  const groups: Part[] = [];
  if (accept('GROUP')) {
    need('BY');
    do groups.push(expression());
    while (accept(','));
  }
  const grouped = new Set(groups.map(({ sql }) => sql));
  const isGrouped = groups.length > 0 || selected.some(({ part }) => part.isAggregate);
  for (const { name: alias, part } of selected) {
    if (isGrouped && !part.isAggregate && !grouped.has(part.sql)) refuse(`${alias} is not under GROUP BY`);
  }
  const orders: string[] = [];
  if (accept('ORDER')) {
    need('BY');
    do {
      const { sql } = expression();
      orders.push(`${sql} ${accept('DESC') ? 'DESC' : accept('ASC') ? 'ASC' : ''}`);
    } while (accept(','));
  }
  const limit = accept('LIMIT') ? next().text : null;
  if (limit !== null && !/^\d+$/.test(limit)) refuse('LIMIT takes a number');
  if (accept('FORMAT') && next().text !== 'JSON') refuse('this stand-in knows the format JSON only');
  if (at < tokens.length) refuse(`unexpected ${peek()?.text}`);

  const sql = [
    `SELECT ${selected.map((one) => `${one.part.sql} AS "${one.name}"`).join(', ')} FROM points WHERE dataset = ?`,
    where ? `AND (${where.sql})` : '',
    groups.length > 0 ? `GROUP BY ${groups.map((one) => one.sql).join(', ')}` : '',
    orders.length > 0 ? `ORDER BY ${orders.join(', ')}` : '',
    limit === null ? '' : `LIMIT ${limit}`,
  ].join(' ');
  return { dataset, sql, columns: selected.map((one) => ({ name: one.name, type: one.part.type })) };
}
