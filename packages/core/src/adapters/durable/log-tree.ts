import { fromHex, toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { emptyRoot } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import type {
  LogTree,
  NewLeaf,
  PruningState,
  TreeHead,
  WitnessState,
} from '../../kernel/ports/transparency/transparency-log.ts';

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

/** The database of a Durable Object, as far as it is used here. Statements of one turn are one transaction in any case. */
export interface LogStorage {
  exec(sql: string, ...values: Value[]): Iterable<unknown>;
  transaction<T>(run: () => T): T;
}

const TABLES = `CREATE TABLE IF NOT EXISTS tree (
    only INTEGER PRIMARY KEY CHECK (only = 1), size INTEGER NOT NULL, root TEXT NOT NULL,
    written INTEGER NOT NULL CHECK (written <= size), published INTEGER NOT NULL CHECK (published <= size)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS leaves (
    position INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, entry TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS leaves_by_digest ON leaves (digest);
  CREATE INDEX IF NOT EXISTS leaves_unwritten ON leaves (position) WHERE entry IS NOT NULL;
  CREATE TABLE IF NOT EXISTS witnesses (
    key_id TEXT PRIMARY KEY, size INTEGER NOT NULL, cosigned_at INTEGER NOT NULL, asked_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS disputes (key_id TEXT PRIMARY KEY, size INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS signatures (key_id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS compared (only INTEGER PRIMARY KEY CHECK (only = 1), tiles INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS pruning (
    only INTEGER PRIMARY KEY CHECK (only = 1), pruned_size INTEGER NOT NULL, marked_size INTEGER NOT NULL,
    marked_at INTEGER NOT NULL, CHECK (pruned_size <= marked_size)
  ) STRICT;`;

/** Each call runs in one turn, so that none sees the half of another, of this object or of one that was moved. */
export async function createLogTree({ exec, transaction }: LogStorage): Promise<LogTree> {
  const rows = (sql: string, ...values: Value[]) => [...exec(sql, ...values)] as Row[];
  for (const table of TABLES.split(';').filter((one) => one.trim() !== '')) rows(table);
  rows(
    'INSERT INTO tree (only, size, root, written, published) VALUES (1, 0, ?, 0, -1) ON CONFLICT DO NOTHING',
    toHex(await emptyRoot()),
  );

  return {
    async read() {
      return transaction(() => {
        const [tree] = rows('SELECT size, root, published FROM tree');
        const unwritten = rows('SELECT entry FROM leaves WHERE entry IS NOT NULL ORDER BY position');
        const signatures = rows('SELECT key_id FROM signatures');
        return {
          head: { size: Number(tree?.size), root: hashOf(tree?.root) },
          unwritten: unwritten.map(({ entry }) => utf8(String(entry))),
          publishedBy: tree?.published === tree?.size ? signatures.map(({ key_id }) => String(key_id)) : null,
        };
      });
    },

    async selectNew(leaves) {
      const hashes = JSON.stringify(leaves.map(({ hash }) => toHex(hash)));
      const unknown = new Set(
        rows(
          'SELECT value AS hash FROM json_each(?) WHERE value NOT IN (SELECT hash FROM leaves)',
          hashes,
        ).map(({ hash }) => String(hash)),
      );
      // Each once: what was taken is not unknown any more.
      return leaves.filter(({ hash }) => unknown.delete(toHex(hash)));
    },

    append: async (from, to, leaves) => transaction(() => appendTo(rows, { from, to }, leaves)),

    async setWritten(size) {
      transaction(() => {
        rows('UPDATE leaves SET entry = NULL WHERE entry IS NOT NULL AND position < ?', size);
        rows('UPDATE tree SET written = MAX(written, ?)', size);
      });
    },

    async setPublished(size, keyIds) {
      transaction(() => {
        const [raised] = rows(
          'UPDATE tree SET published = ? WHERE published <= ? RETURNING published',
          size,
          size,
        );
        if (raised === undefined) return;
        rows('DELETE FROM signatures');
        for (const keyId of keyIds) rows('INSERT INTO signatures (key_id) VALUES (?)', keyId);
      });
    },

    async find(digest) {
      const [leaf] = rows('SELECT MIN(position) AS position FROM leaves WHERE digest = ?', digest);
      return typeof leaf?.position === 'number' ? leaf.position : null;
    },

    async readHashes(start, count) {
      const found = rows(
        'SELECT hash FROM leaves WHERE position >= ? AND position < ? ORDER BY position',
        start,
        start + count,
      );
      return found.map(({ hash }) => hashOf(hash));
    },

    async readComparedTiles() {
      const [row] = rows('SELECT tiles FROM compared');
      return Number(row?.tiles ?? 0);
    },

    async setComparedTiles(count) {
      rows('INSERT OR REPLACE INTO compared (only, tiles) VALUES (1, ?)', count);
    },

    async readWitness(keyId) {
      const [row] = rows(
        `SELECT witnesses.size, cosigned_at, asked_at, disputes.size AS disputed
          FROM witnesses LEFT JOIN disputes USING (key_id) WHERE key_id = ?`,
        keyId,
      );
      if (row === undefined) return null;
      const { size, cosigned_at: cosignedAt, asked_at: askedAt, disputed } = row;
      return {
        size: Number(size),
        cosignedAt: Number(cosignedAt),
        askedAt: Number(askedAt),
        disputedSize: typeof disputed === 'number' ? disputed : null,
      };
    },

    async setWitness(keyId, { size, cosignedAt, askedAt, disputedSize }: WitnessState) {
      transaction(() => {
        rows(
          `INSERT INTO witnesses (key_id, size, cosigned_at, asked_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (key_id) DO UPDATE SET size = excluded.size, cosigned_at = excluded.cosigned_at,
              asked_at = excluded.asked_at`,
          keyId,
          size,
          cosignedAt,
          askedAt,
        );
        rows('DELETE FROM disputes WHERE key_id = ?', keyId);
        if (disputedSize !== null)
          rows('INSERT INTO disputes (key_id, size) VALUES (?, ?)', keyId, disputedSize);
      });
    },

    async readPruning() {
      const [row] = rows('SELECT pruned_size, marked_size, marked_at FROM pruning');
      const { pruned_size: prunedSize = 0, marked_size: markedSize = 0, marked_at: markedAt = 0 } = row ?? {};
      return { prunedSize: Number(prunedSize), markedSize: Number(markedSize), markedAt: Number(markedAt) };
    },

    async setPruning({ prunedSize, markedSize, markedAt }: PruningState) {
      rows(
        'INSERT OR REPLACE INTO pruning (only, pruned_size, marked_size, marked_at) VALUES (1, ?, ?, ?)',
        prunedSize,
        markedSize,
        markedAt,
      );
    },
  };
}

function appendTo(
  rows: (sql: string, ...values: Value[]) => Row[],
  { from, to }: { readonly from: TreeHead; readonly to: TreeHead },
  leaves: readonly NewLeaf[],
): boolean {
  const [moved] = rows(
    'UPDATE tree SET size = ?, root = ? WHERE size = ? AND root = ? RETURNING size',
    to.size,
    toHex(to.root),
    from.size,
    toHex(from.root),
  );
  if (moved === undefined) return false;
  rows(
    `INSERT INTO leaves (position, hash, digest, entry)
      SELECT ? + key, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`,
    from.size,
    JSON.stringify(
      leaves.map(({ hash, digest, entry }) => [toHex(hash), digest, new TextDecoder().decode(entry)]),
    ),
  );
  return true;
}

function hashOf(hex: Value | undefined): Uint8Array {
  const hash = fromHex(String(hex));
  if (hash?.length !== 32) throw new Error('A hash of the log is damaged.');
  return hash;
}
