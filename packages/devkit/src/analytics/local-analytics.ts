import { DatabaseSync } from 'node:sqlite';
import { DATASET } from '@agent-marketplace/core/adapters/analytics/analytics-reader.ts';
import { json, type Reply, type Request, readRequest, send } from '../card-processor/http.ts';
import { serveOnLoopback } from '../loopback-server.ts';
import { AnalyticsSqlError, translate } from './analytics-sql.ts';

export interface LocalAnalytics {
  /** Where data points are POSTed to, as JSON. */
  readonly writeUrl: string;
  /** What the marketplace is configured with. */
  readonly variables: {
    readonly ANALYTICS_ACCOUNT_ID: string;
    readonly ANALYTICS_API_TOKEN: string;
    readonly ANALYTICS_API_BASE: string;
  };
  /** Refuses what the binding of a Worker would. */
  writeDataPoint(point: unknown): void;
  close(): Promise<void>;
}

const ACCOUNT_ID = '0123456789abcdef0123456789abcdef';
const TOKEN = 'local-analytics';
const MOST_VALUES = 20;
const MAX_INDEX_BYTES = 96;
const MAX_BLOB_BYTES = 16 * 1024;
const PLACES = Array.from({ length: MOST_VALUES }, (_, at) => at + 1);
const COLUMNS = [
  'dataset',
  'timestamp',
  '_sample_interval',
  'index1',
  ...PLACES.map((at) => `blob${at}`),
  ...PLACES.map((at) => `double${at}`),
];

/**
 * Workers Analytics Engine on this machine: takes data points as the binding does, keeps them in SQLite, and answers the SQL
 * API, with its authentication. It samples nothing, as the real one does not either until there are many points.
 */
export async function startLocalAnalytics(file: string, now: () => number): Promise<LocalAnalytics> {
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE IF NOT EXISTS points (${COLUMNS.join(', ')});
    CREATE INDEX IF NOT EXISTS by_time ON points (dataset, timestamp);`);
  // Text, since SQLite keeps nothing else between two rows.
  database.aggregate('quantile_weighted', {
    start: '',
    step: (found, share, value, weight) => `${found}${value} ${weight} ${share};`,
    result: (found) => quantileOf(String(found)),
  });
  const insert = database.prepare(
    `INSERT INTO points (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  );

  function writeDataPoint(point: unknown): void {
    const { indexes, blobs, doubles } = readPoint(point);
    insert.run(
      DATASET,
      Math.floor(now() / 1000),
      1,
      indexes[0] ?? '',
      ...PLACES.map((at) => blobs[at - 1] ?? ''),
      ...PLACES.map((at) => doubles[at - 1] ?? 0),
    );
  }

  function query(text: string): Reply {
    const { dataset, sql, columns } = translate(text);
    if (dataset !== DATASET) throw new AnalyticsSqlError(`unable to find the table ${dataset}`);
    const rows = database.prepare(sql).all(dataset);
    const data = rows.map((row) =>
      Object.fromEntries(
        // As ClickHouse writes them: an integer of 64 bits is text.
        columns.map(({ name, type }) => [name, type === 'UInt64' ? String(row[name]) : row[name]]),
      ),
    );
    return json(200, { meta: columns, data, rows: data.length, rows_before_limit_at_least: data.length });
  }

  function answer({ method, path, headers, body }: Request): Reply {
    if (method !== 'POST') return json(405, failure(10_405, 'Method not allowed'));
    if (path === '/write') {
      writeDataPoint(JSON.parse(body));
      return json(200, {});
    }
    if (path !== `/client/v4/accounts/${ACCOUNT_ID}/analytics_engine/sql`)
      return json(404, failure(7003, 'Not found'));
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return json(403, failure(10_000, 'Authentication error'));
    try {
      return query(body);
    } catch (error) {
      if (error instanceof AnalyticsSqlError) return { status: 422, headers: {}, body: error.message };
      throw error;
    }
  }

  const server = await serveOnLoopback(async (incoming, response) => {
    try {
      const request = await readRequest(incoming);
      send(response, request ? answer(request) : json(413, failure(413, 'too large')));
    } catch (error) {
      if (!response.headersSent) send(response, json(500, failure(500, String(error))));
    }
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    writeUrl: `${url}/write`,
    variables: { ANALYTICS_ACCOUNT_ID: ACCOUNT_ID, ANALYTICS_API_TOKEN: TOKEN, ANALYTICS_API_BASE: url },
    writeDataPoint,
    close: async () => {
      await server.close();
      database.close();
    },
  };
}

const failure = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  result: null,
});

/** The least value that at least the share of all weight does not exceed. */
function quantileOf(found: string): number {
  const rows = found
    .split(';')
    .slice(0, -1)
    .map((row) => row.split(' ').map(Number) as [value: number, weight: number, share: number])
    .toSorted(([a], [b]) => a - b);
  const share = rows[0]?.[2] ?? 0;
  const threshold = rows.reduce((sum, [, weight]) => sum + weight, 0) * share;
  let below = 0;
  for (const [value, weight] of rows) {
    below += weight;
    if (below >= threshold) return value;
  }
  return 0;
}

/** The limits of the binding. */
function readPoint(point: unknown) {
  const { indexes = [], blobs = [], doubles = [] } = point as Partial<Record<string, unknown[]>>;
  const bytes = (texts: readonly unknown[]) =>
    texts.reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)), 0);
  if (indexes.length > 1 || bytes(indexes) > MAX_INDEX_BYTES)
    throw new TypeError('one index of at most 96 bytes');
  if (blobs.length > MOST_VALUES || bytes(blobs) > MAX_BLOB_BYTES) throw new TypeError('too many blobs');
  if (doubles.length > MOST_VALUES) throw new TypeError('too many doubles');
  if (!doubles.every((value) => typeof value === 'number')) throw new TypeError('a double is a number');
  if (![...indexes, ...blobs].every((text) => typeof text === 'string'))
    throw new TypeError('a blob is a text');
  return { indexes, blobs, doubles } as { indexes: string[]; blobs: string[]; doubles: number[] };
}
