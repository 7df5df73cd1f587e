import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { eraseAuditTexts, isAuditedOf } from '../../db/audit-trail.ts';
import { toStatement } from '../../db/query.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { HELD_DATA } from './held-data.ts';
import { columnsOf, type HeldTable, KINDS, type Owner, type OwnerColumn } from './held-table.ts';

/** The rows of one table that are an agent's in one role, with what it is given of them. */
export interface HeldPart {
  readonly table: string;
  readonly role: string;
  readonly columns: readonly string[];
  readonly isOwned: (agentId: string) => SQL;
}

const nameOf = (name: string): SQL => sql`${sql.identifier(name)}`;

function isOwned({ column, prefixes, through }: OwnerColumn, agentId: string): SQL {
  const name = nameOf(column);
  if (through) {
    const { table, key, owner } = through;
    return sql`${name} IN (SELECT ${nameOf(key)} FROM ${nameOf(table)} WHERE ${isOwned(owner, agentId)})`;
  }
  if (!prefixes) return sql`${name} = ${agentId}`;
  return sql`${name} IN (${sql.join(
    prefixes.map((prefix) => sql`${prefix + agentId}`),
    sql`, `,
  )})`;
}

/** The ids of rows of these owners, as the audit chain has them. */
const subjectIds = (table: string, key: string, owners: readonly Owner[], agentId: string): SQL =>
  sql`SELECT ${nameOf(key)} FROM ${nameOf(table)} WHERE ${sql.join(
    owners.map((owner) => isOwned(owner, agentId)),
    sql` OR `,
  )}`;

const OWN_PARTS: readonly HeldPart[] = HELD_DATA.flatMap((table) =>
  table.owners.map((owner) => ({
    table: table.name,
    role: owner.role,
    columns: [...columnsOf(table)]
      .filter(([name, kind]) => KINDS[kind].isExported && !owner.hides?.includes(name))
      .map(([name]) => name),
    isOwned: (agentId: string) => isOwned(owner, agentId),
  })),
);

/** What operators wrote of rows that have one owner. Of a purchase or a case, it may be about the other side. */
const AUDITED_PARTS: readonly HeldPart[] = HELD_DATA.flatMap(({ name, subject, owners }) =>
  subject === undefined || owners.length > 1
    ? []
    : owners.map(({ role }) => ({
        table: 'audit_texts',
        role,
        columns: ['sequence', 'texts'],
        isOwned: (agentId: string) =>
          isAuditedOf(subject.type, subjectIds(name, subject.key, owners, agentId)),
      })),
);

/** In the order in which an export has them. */
const HELD_PARTS: readonly HeldPart[] = [...OWN_PARTS, ...AUDITED_PARTS];

export type HeldRow = Readonly<Record<string, string | number | null>>;

const read = (
  { table, columns, isOwned: isTheirs }: HeldPart,
  agentId: string,
  limit: number,
  offset: number,
) =>
  toStatement(sql`SELECT ${sql.join(columns.map(nameOf), sql`, `)} FROM ${nameOf(table)}
    WHERE ${isTheirs(agentId)} ORDER BY 1, 2 LIMIT ${limit} OFFSET ${offset}`);

/** So many parts are looked at in one round trip. */
const PARTS_AT_ONCE = 12;

/** Where a page of an export begins. */
export interface HeldPosition {
  readonly part: number;
  readonly offset: number;
}

/** The next rows of an agent, and where those after them begin; null: there are none. */
export async function readHeldRows(
  market: Database,
  agentId: string,
  { part, offset }: HeldPosition,
  limit: number,
): Promise<{
  readonly rows: readonly { part: HeldPart; row: HeldRow }[];
  readonly next: HeldPosition | null;
}> {
  const rows: { part: HeldPart; row: HeldRow }[] = [];
  for (let first = part; first < HELD_PARTS.length; first += PARTS_AT_ONCE) {
    const parts = HELD_PARTS.slice(first, first + PARTS_AT_ONCE);
    const skipped = (at: number) => (first + at === part ? offset : 0);
    const found = await market.commit(parts.map((one, at) => read(one, agentId, limit + 1, skipped(at))));
    for (const [at, one] of parts.entries()) {
      const room = limit - rows.length;
      const here = (found[at] ?? []) as HeldRow[];
      rows.push(...here.slice(0, room).map((row) => ({ part: one, row })));
      if (here.length > room) return { rows, next: { part: first + at, offset: skipped(at) + room } };
    }
  }
  return { rows, next: null };
}

/** What stays of a column that holds more than what was written. */
export const WITHOUT_TEXTS: Readonly<Record<string, SQL>> = {
  // Old entries were signed with their texts in clear: they say themselves that nobody can check their digests any more.
  'listing_history.entry': sql`CASE
    WHEN json_type(entry, '$.reasonDigest') IS NOT NULL THEN json_set(entry, '$.reason', NULL, '$.texts', NULL)
    WHEN json_type(entry, '$.changes.title') IS NULL AND json_type(entry, '$.changes.description') IS NULL
      AND json_type(entry, '$.reason') = 'null' THEN entry
    ELSE json_set(json_replace(entry, '$.reason', NULL,
      '$.changes.title.from', NULL, '$.changes.title.to', NULL,
      '$.changes.description.from', NULL, '$.changes.description.to', NULL), '$.isErased', json('true')) END`,
};

function settings(table: HeldTable, owner: Owner, digest: string): SQL {
  const cleared =
    owner.clears ?? [...columnsOf(table)].filter(([, kind]) => KINDS[kind].isCleared).map(([name]) => name);
  return sql.join(
    cleared.map((column) => {
      const rest = WITHOUT_TEXTS[`${table.name}.${column}`];
      if (rest) return sql`${nameOf(column)} = ${rest}`;
      const value = table.replacements?.[column]?.replace('{digest}', digest.slice(0, 12));
      // A text that was never there gets no replacement: the schema may ask for both of two or neither.
      return value === undefined
        ? sql`${nameOf(column)} = NULL`
        : sql`${nameOf(column)} = CASE WHEN ${nameOf(column)} IS NOT NULL THEN ${value} END`;
    }),
    sql`, `,
  );
}

const erase = (table: HeldTable, owner: Owner, agentId: string, digest: string): SQL =>
  owner.erasure === 'delete'
    ? sql`DELETE FROM ${nameOf(table.name)} WHERE ${isOwned(owner, agentId)}`
    : sql`UPDATE ${nameOf(table.name)} SET ${settings(table, owner, digest)} WHERE ${isOwned(owner, agentId)}`;

const depth = ({ through }: OwnerColumn): number => (through ? 1 + depth(through.owner) : 0);

/** What operators wrote of an agent's rows, of each kind that they act on. */
const eraseAudited = (agentId: string): SQLWrapper[] =>
  HELD_DATA.flatMap(({ name, subject, owners }) => {
    if (subject === undefined) return [];
    return [eraseAuditTexts(subject.type, subjectIds(name, subject.key, owners, agentId))];
  });

/**
 * Erases what is an agent's by the map: rows go, or what names and quotes it, and what operators wrote of them. To be
 * committed as a whole; a second time it changes nothing. Rows that are found through others are first, while these are there.
 */
export function eraseHeldRows(agentId: string, digest: string): Statement[] {
  const rows = HELD_DATA.flatMap((table) => table.owners.map((owner) => ({ table, owner })))
    .filter(({ owner }) => owner.erasure !== 'keep')
    .sort((a, b) => depth(b.owner) - depth(a.owner))
    .map(({ table, owner }) => erase(table, owner, agentId, digest));
  return [...eraseAudited(agentId), ...rows].map(toStatement);
}
