import { sql } from 'drizzle-orm';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { attachmentUploads, inquiries, inquiryAttachments } from '../db/tables/inquiries.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

export interface AttachmentRow {
  readonly contentType: string;
  readonly filename: string;
  readonly id: string;
  /** From 1, within its message. */
  readonly position: number;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Notes bytes that are about to be kept for a message; aborts while the same bytes are being removed. */
export function beginUploads(
  { messageId, sha256s }: { messageId: string; sha256s: readonly string[] },
  startedAt: IsoTime,
): Statement[] {
  const list = JSON.stringify([...new Set(sha256s)]);
  return [
    statement(sql`INSERT INTO guards (name) SELECT 'attachment_not_removed' WHERE EXISTS
      (SELECT 1 FROM ${attachmentUploads} WHERE sha256 IN (SELECT value FROM json_each(${list})) AND is_removing = 1)`),
    statement(sql`INSERT INTO ${attachmentUploads} (sha256, message_id, started_at)
      SELECT value, ${messageId}, ${startedAt} FROM json_each(${list}) WHERE TRUE`),
  ];
}

export const isBeingRemoved = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'guard attachment_not_removed';

/** Gives bytes that are kept to their message: to be committed with it. */
export function insertAttachments(
  { inquiryId, messageId }: { inquiryId: string; messageId: string },
  rows: readonly AttachmentRow[],
): Statement[] {
  return [
    ...rows.map((row) => insertInto(inquiryAttachments, { ...row, inquiryId, messageId })),
    statement(sql`DELETE FROM ${attachmentUploads} WHERE message_id = ${messageId}
      AND sha256 IN (SELECT value FROM json_each(${JSON.stringify(rows.map(({ sha256 }) => sha256))}))`),
  ];
}

const byId = prepared<{ id: string }>(sql`SELECT content_type AS contentType, filename, id, position, sha256,
  size_bytes AS sizeBytes FROM ${inquiryAttachments} WHERE id = ${sql.placeholder('id')}`);

export async function findAttachment(market: Database, id: string): Promise<AttachmentRow | null> {
  return market.first<AttachmentRow>(byId({ id }));
}

/**
 * Takes bytes that were noted before then and belong to nobody, so that they can be removed: from here on
 * nobody begins to keep the same. Those that are being taken already are taken again, as a run may have died.
 */
export async function takeOrphans(market: Database, before: IsoTime, limit: number): Promise<string[]> {
  const isOwned = sql`EXISTS (SELECT 1 FROM ${inquiryAttachments}
    WHERE ${inquiryAttachments.sha256} = ${attachmentUploads.sha256})`;
  const [, , rows] = await market.commit([
    // What a message has by now needs no note.
    statement(
      sql`DELETE FROM ${attachmentUploads} WHERE started_at < ${before} AND is_removing = 0 AND ${isOwned}`,
    ),
    statement(sql`UPDATE ${attachmentUploads} SET is_removing = 1 WHERE sha256 IN (
      SELECT sha256 FROM ${attachmentUploads} WHERE started_at < ${before} AND is_removing = 0
      AND NOT ${isOwned}
      AND NOT EXISTS (SELECT 1 FROM ${attachmentUploads} AS fresh
        WHERE fresh.sha256 = ${attachmentUploads.sha256} AND fresh.started_at >= ${before})
      ORDER BY started_at LIMIT ${limit})`),
    statement(sql`SELECT DISTINCT sha256 FROM ${attachmentUploads} WHERE is_removing = 1 LIMIT ${limit}`),
  ]);
  return (rows as { sha256: string }[]).map(({ sha256 }) => sha256);
}

/** Gives up the attachments of threads that were closed before then: their bytes are nobody's from here on. */
export async function giveUpAttachments(
  market: Database,
  closedBefore: IsoTime,
  now: IsoTime,
  limit: number,
): Promise<void> {
  const old = sql`SELECT a.id FROM ${inquiryAttachments} a JOIN ${inquiries} i ON i.id = a.inquiry_id
    WHERE i.closed_at < ${closedBefore} ORDER BY a.id LIMIT ${limit}`;
  await market.commit([
    statement(sql`INSERT INTO ${attachmentUploads} (sha256, message_id, started_at)
      SELECT sha256, message_id, ${now} FROM ${inquiryAttachments} WHERE id IN (${old}) ON CONFLICT DO NOTHING`),
    statement(sql`DELETE FROM ${inquiryAttachments} WHERE id IN (${old})`),
  ]);
}

/** They are gone: whoever has the same bytes may keep them again. */
export async function forgetOrphans(market: Database, sha256s: readonly string[]): Promise<void> {
  await market.commit([
    statement(sql`DELETE FROM ${attachmentUploads} WHERE is_removing = 1
      AND sha256 IN (SELECT value FROM json_each(${JSON.stringify(sha256s)}))`),
  ]);
}
