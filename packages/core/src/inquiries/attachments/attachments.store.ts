import {
  and,
  eq,
  exists,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  lt,
  not,
  notExists,
  or,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { abortWhere } from '../../db/guard.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import {
  attachmentUploads,
  disputeAttachments,
  disputeStatements,
  inquiries,
  inquiryAttachments,
} from '../../db/tables/inquiries.ts';
import { listingImages, listings } from '../../db/tables/listings.ts';
import { purchases } from '../../db/tables/purchases.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { type IsoTime, isoTime } from '../../kernel/time.ts';

export interface AttachmentRow {
  readonly contentType: string;
  readonly filename: string;
  readonly id: string;
  /** From 1, within its message. */
  readonly position: number;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Texts of a list that is bound as one parameter: D1 binds at most a hundred. */
const textsOf = (list: Placeholder | string) => sql`(SELECT value FROM json_each(${list}))`;

const NOT_REMOVED = 'attachment_not_removed';

const refuseRemoved = write((p: Params<{ sha256s: string }>) =>
  abortWhere(
    NOT_REMOVED,
    exists(
      build
        .select({ sha256: attachmentUploads.sha256 })
        .from(attachmentUploads)
        .where(
          and(inArray(attachmentUploads.sha256, textsOf(p.sha256s)), eq(attachmentUploads.isRemoving, true)),
        ),
    ),
  ),
);

const insertUploads = write((p: Params<{ sha256s: string; messageId: string; startedAt: IsoTime }>) =>
  insertFrom(
    attachmentUploads,
    { sha256: sql`value`, messageId: p.messageId, startedAt: p.startedAt },
    (select) => select.from(sql`json_each(${p.sha256s})`),
  ),
);

/** Notes bytes that are about to be stored for a message; aborts while the same bytes are being removed. */
export function beginUploads(
  { messageId, sha256s }: { messageId: string; sha256s: readonly string[] },
  startedAt: IsoTime,
): Statement[] {
  const list = JSON.stringify([...new Set(sha256s)]);
  return [refuseRemoved({ sha256s: list }), insertUploads({ sha256s: list, messageId, startedAt })];
}

export const isBeingRemoved = (error: unknown): boolean => isGuard(error, NOT_REMOVED);

const forgetUploads = write((p: Params<{ messageId: string; sha256s: string }>) =>
  build
    .delete(attachmentUploads)
    .where(
      and(
        eq(attachmentUploads.messageId, p.messageId),
        inArray(attachmentUploads.sha256, textsOf(p.sha256s)),
      ),
    ),
);

/** The bytes that were noted have an owner: to be committed with what makes it so. */
export function endUploads({
  messageId,
  sha256s,
}: {
  readonly messageId: string;
  readonly sha256s: readonly string[];
}): Statement {
  return forgetUploads({ messageId, sha256s: JSON.stringify(sha256s) });
}

export function insertAttachments(
  { inquiryId, messageId }: { inquiryId: string; messageId: string },
  rows: readonly AttachmentRow[],
): Statement[] {
  return rows.map((row) => insertInto(inquiryAttachments, { ...row, inquiryId, messageId }));
}

const {
  inquiryId: _inquiry,
  messageId: _message,
  ...attachmentColumns
} = getTableColumns(inquiryAttachments);
const byId = query((p: Params<{ id: string }>) =>
  build.select(attachmentColumns).from(inquiryAttachments).where(eq(inquiryAttachments.id, p.id)),
);

export function findAttachment(market: Database, id: string): Promise<AttachmentRow | null> {
  return byId.first(market, { id });
}

/** The bytes of a listing's picture, in either size, lie in the same store. */
const isPicture = (
  sha256: SQLWrapper,
) => sql`(EXISTS (SELECT 1 FROM ${listingImages} WHERE small_sha256 = ${sha256})
  OR EXISTS (SELECT 1 FROM ${listingImages} WHERE large_sha256 = ${sha256}))`;

/** To a message of an inquiry, to a statement in a dispute, or as a picture. */
const isAttached = or(
  ...[inquiryAttachments, disputeAttachments].map((attachments) =>
    exists(
      build
        .select({ id: attachments.id })
        .from(attachments)
        .where(eq(attachments.sha256, attachmentUploads.sha256)),
    ),
  ),
  isPicture(attachmentUploads.sha256),
) as SQL;

const fresh = alias(attachmentUploads, 'fresh');

const deleteAttachedUploads = write((p: Params<{ before: IsoTime }>) =>
  build
    .delete(attachmentUploads)
    .where(
      and(lt(attachmentUploads.startedAt, p.before), eq(attachmentUploads.isRemoving, false), isAttached),
    ),
);

const beginRemoval = write((p: Params<{ before: IsoTime; limit: number }>) =>
  build
    .update(attachmentUploads)
    .set({ isRemoving: true })
    .where(
      inArray(
        attachmentUploads.sha256,
        build
          .select({ sha256: attachmentUploads.sha256 })
          .from(attachmentUploads)
          .where(
            and(
              lt(attachmentUploads.startedAt, p.before),
              eq(attachmentUploads.isRemoving, false),
              not(isAttached),
              notExists(
                build
                  .select({ sha256: fresh.sha256 })
                  .from(fresh)
                  .where(and(eq(fresh.sha256, attachmentUploads.sha256), gte(fresh.startedAt, p.before))),
              ),
            ),
          )
          .orderBy(attachmentUploads.startedAt)
          .limit(p.limit),
      ),
    ),
);

const beingRemoved = query((p: Params<{ limit: number }>) =>
  build
    .selectDistinct({ sha256: attachmentUploads.sha256 })
    .from(attachmentUploads)
    .where(eq(attachmentUploads.isRemoving, true))
    .limit(p.limit),
);

/**
 * Claims bytes that were noted before then and belong to no message, so that they can be removed: from here on no
 * upload of the same bytes begins. What is claimed already is given again, since the run that claimed it may have died.
 */
export async function claimOrphans(market: Database, before: IsoTime, limit: number): Promise<string[]> {
  const [, , rows] = await market.commit([
    deleteAttachedUploads({ before }),
    beginRemoval({ before, limit }),
    beingRemoved.statement({ limit }),
  ]);
  return beingRemoved.rows(rows).map(({ sha256 }) => sha256);
}

const ofClosedThreads = (p: Params<{ closedBefore: IsoTime; limit: number }>) =>
  build
    .select({ id: inquiryAttachments.id })
    .from(inquiryAttachments)
    .innerJoin(inquiries, eq(inquiries.id, inquiryAttachments.inquiryId))
    .where(lt(inquiries.closedAt, p.closedBefore))
    .orderBy(inquiryAttachments.id)
    .limit(p.limit);

const orphanAttachments = write((p: Params<{ closedBefore: IsoTime; now: IsoTime; limit: number }>) =>
  insertFrom(
    attachmentUploads,
    { sha256: inquiryAttachments.sha256, messageId: inquiryAttachments.messageId, startedAt: p.now },
    (select) => select.from(inquiryAttachments).where(inArray(inquiryAttachments.id, ofClosedThreads(p))),
  ).onConflictDoNothing(),
);

const deleteAttachments = write((p: Params<{ closedBefore: IsoTime; limit: number }>) =>
  build.delete(inquiryAttachments).where(inArray(inquiryAttachments.id, ofClosedThreads(p))),
);

/** Deletes the attachments of threads that were closed before then, and leaves their bytes to `claimOrphans`. */
export async function expireAttachments(
  market: Database,
  closedBefore: IsoTime,
  now: IsoTime,
  limit: number,
): Promise<void> {
  await market.commit([
    orphanAttachments({ closedBefore, now, limit }),
    deleteAttachments({ closedBefore, limit }),
  ]);
}

type OfAgent = Params<{ agentId: string; startedAt: IsoTime }>;

const orphanInquiries = write((p: OfAgent) => {
  const own = build.select({ id: inquiries.id }).from(inquiries).where(eq(inquiries.agentId, p.agentId));
  return insertFrom(
    attachmentUploads,
    { sha256: inquiryAttachments.sha256, messageId: inquiryAttachments.messageId, startedAt: p.startedAt },
    (select) => select.from(inquiryAttachments).where(inArray(inquiryAttachments.inquiryId, own)),
  ).onConflictDoNothing();
});

const orphanPicture = (sha256: typeof listingImages.smallSha256 | typeof listingImages.largeSha256) =>
  write((p: OfAgent) => {
    const own = build.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, p.agentId));
    return insertFrom(
      attachmentUploads,
      { sha256: sql`${sha256}`, messageId: listingImages.listingId, startedAt: p.startedAt },
      (select) =>
        select.from(listingImages).where(and(isNotNull(sha256), inArray(listingImages.listingId, own))),
    ).onConflictDoNothing();
  });

const orphanSmallPictures = orphanPicture(listingImages.smallSha256);
const orphanLargePictures = orphanPicture(listingImages.largeSha256);

const orphanEvidence = write((p: OfAgent) => {
  const own = build
    .select({ id: purchases.id })
    .from(purchases)
    .where(or(eq(purchases.buyerId, p.agentId), eq(purchases.sellerId, p.agentId)));
  const statements = build
    .select({ id: disputeStatements.id })
    .from(disputeStatements)
    .where(inArray(disputeStatements.purchaseId, own));
  return insertFrom(
    attachmentUploads,
    { sha256: disputeAttachments.sha256, messageId: disputeAttachments.statementId, startedAt: p.startedAt },
    (select) => select.from(disputeAttachments).where(inArray(disputeAttachments.statementId, statements)),
  ).onConflictDoNothing();
});

/** To be committed with what deletes an agent's inquiries, statements and pictures: the next run removes their bytes, if nothing else has the same. */
export function releaseAttachments(agentId: string): Statement[] {
  // As if noted long ago: no upload of these messages is under way.
  const noted = { agentId, startedAt: isoTime(0) };
  return [
    orphanInquiries(noted),
    orphanSmallPictures(noted),
    orphanLargePictures(noted),
    orphanEvidence(noted),
  ];
}

const deleteOrphans = write((p: Params<{ sha256s: string }>) =>
  build
    .delete(attachmentUploads)
    .where(
      and(eq(attachmentUploads.isRemoving, true), inArray(attachmentUploads.sha256, textsOf(p.sha256s))),
    ),
);

const noteStrays = write((p: Params<{ sha256s: string; messageId: string; startedAt: IsoTime }>) => {
  const value = sql`value`;
  const isIn = (table: typeof attachmentUploads | typeof disputeAttachments | typeof inquiryAttachments) =>
    inArray(value, build.select({ sha256: table.sha256 }).from(table));
  return insertFrom(
    attachmentUploads,
    { sha256: value, messageId: p.messageId, startedAt: p.startedAt },
    (select) =>
      select
        .from(sql`json_each(${p.sha256s})`)
        .where(
          and(
            not(isIn(inquiryAttachments)),
            not(isPicture(value)),
            not(isIn(disputeAttachments)),
            not(isIn(attachmentUploads)),
          ),
        ),
  );
});

/** Notes stored bytes that no message owns and no upload noted, as if begun now: what nobody owns in a day is removed. */
export async function noteStrayBytes(
  market: Database,
  sha256s: readonly string[],
  noted: { readonly messageId: string; readonly startedAt: IsoTime },
): Promise<void> {
  if (sha256s.length === 0) return;
  await market.commit([noteStrays({ sha256s: JSON.stringify(sha256s), ...noted })]);
}

/** The bytes are removed: the same ones may be stored again. */
export async function forgetOrphans(market: Database, sha256s: readonly string[]): Promise<void> {
  await market.commit([deleteOrphans({ sha256s: JSON.stringify(sha256s) })]);
}
