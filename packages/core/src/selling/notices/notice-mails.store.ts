import { and, eq, isNull, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { sellerNotifications } from '../../db/tables/events.ts';
import { mailOutbox } from '../../db/tables/mail.ts';
import type { Database } from '../../kernel/ports/database.ts';
import type { NoticePurpose } from '../../mail/index.ts';
import type { Notice } from './notice-mail.rules.ts';

export interface UnwrittenNotice extends Notice {
  readonly purpose: NoticePurpose;
  /** The id of the notification. */
  readonly reference: string;
}

const unwritten = query((p: Params<{ limit: number }>) =>
  build
    .select({
      purpose: sql<NoticePurpose>`${mailOutbox.purpose}`,
      reference: mailOutbox.reference,
      sellerId: sellerNotifications.sellerId,
      type: sellerNotifications.type,
      data: sellerNotifications.data,
    })
    .from(mailOutbox)
    .innerJoin(sellerNotifications, eq(sellerNotifications.id, mailOutbox.reference))
    .where(and(sql`${mailOutbox.purpose} IN ('payout_notice', 'endpoint_notice')`, isNull(mailOutbox.text)))
    .orderBy(mailOutbox.createdAt)
    .limit(p.limit),
);

/** Mails that were queued with the change that they tell of, and have no text yet. */
export function listUnwrittenNotices(market: Database, limit: number): Promise<UnwrittenNotice[]> {
  return unwritten.all(market, { limit });
}
