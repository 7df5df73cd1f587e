import type { Operations } from '@agent-marketplace/sdk';
import { SellerProse, SellerText } from '../../components/text.tsx';
import { Instant } from '../../components/time.tsx';
import { oneLine } from '../../format/text.ts';
import { MessageFields } from '../inquiry/fields.tsx';

type Dispute = Operations['getDispute']['output'];

const AUTHORS = { buyer: 'You', seller: 'The seller', operator: 'The operator' } as const;

interface Evidence {
  readonly dispute: Dispute;
  readonly action: string;
  /** The address of a file, by its path below the API root. */
  readonly fileUrl: (path: string) => string;
}

/** What both sides say, with their files. It is not drawn anew while somebody types in it. */
export function Evidence({ dispute, action, fileUrl }: Evidence) {
  const { evidenceBy, isOpen, statements } = dispute;
  return (
    <section class="stack" aria-labelledby="evidence">
      <h2 id="evidence">What both sides say</h2>
      {isOpen && (
        <p>
          You and the seller have until <Instant iso={evidenceBy} /> to say what you know; what comes later is
          read if nothing is decided yet. The seller and the operator read what you say here, and its files.
        </p>
      )}
      {statements.length === 0 && <p class="soft">Nobody has said anything yet.</p>}
      {statements.map(({ attachments, body, createdAt, from }) => (
        <div class="message">
          <p class="fine">
            {AUTHORS[from]}, <Instant iso={createdAt} />
          </p>
          <SellerProse text={body} />
          {attachments.map(({ filename, url }) => (
            <p>
              <a href={fileUrl(url)} download="">
                <SellerText text={oneLine(filename, 120)} />
              </a>
            </p>
          ))}
        </div>
      ))}
      {isOpen && (
        <form class="stack half" method="post" action={action} enctype="multipart/form-data">
          <MessageFields message="" />
          <div class="actions">
            <button type="submit" name="do" value="say" class="quiet">
              Send to both sides
            </button>
          </div>
        </form>
      )}
    </section>
  );
}
