import type { Settings } from '../../kernel/operation/operation.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { writeMail } from '../../mail/index.ts';
import { cancelPageOf } from '../../payouts/index.ts';
import { changeToCancel, noticeMail } from './notice-mail.rules.ts';
import { listUnwrittenNotices, type UnwrittenNotice } from './notice-mails.store.ts';

/** Fewer than a transaction may have statements. */
const AT_ONCE = 50;

/**
 * Writes the mails that tell sellers of changes somebody else may have made. Each stands in the outbox from the moment of
 * the change. None is written where no mail is sent: a link that cancels would lie there. Returns how many were written.
 */
export async function writeNoticeMails(
  ports: Pick<Ports, 'market' | 'keyedHash' | 'mail'>,
  place: Pick<Settings, 'siteUrl'>,
): Promise<number> {
  if (ports.mail === null) return 0;
  const due = await listUnwrittenNotices(ports.market, AT_ONCE);
  if (due.length === 0) return 0;
  // A link without its host can still be put together by hand.
  const siteUrl = place.siteUrl ?? '';
  const pageOf = async (notice: UnwrittenNotice) => {
    const changeId = changeToCancel(notice);
    return changeId === null ? null : cancelPageOf(ports, siteUrl, changeId);
  };
  const mails = await Promise.all(
    due.map(async (notice) => {
      const { purpose, reference } = notice;
      return writeMail({
        purpose,
        reference,
        ...noticeMail(notice, { siteUrl, cancelPage: await pageOf(notice) }),
      });
    }),
  );
  await ports.market.commit(mails);
  return due.length;
}
