import type { Operations } from '@agent-marketplace/sdk';
import { type Attachment, attachmentsOf } from '../../../format/attachments-of.ts';
import { instant } from '../../../format/figures.ts';
import { oneLine } from '../../../format/text.ts';
import { element, offerFile, timeOf, untrustedText } from '../dom.ts';
import { actionForm } from '../forms.ts';

type Dispute = Operations['getDispute']['output'];
type Statement = Dispute['statements'][number];

export const AUTHORS: Readonly<Record<Statement['from'], string>> = {
  buyer: 'The buyer',
  seller: 'The seller',
  operator: 'The operator',
};

interface Evidence {
  readonly dispute: Pick<Dispute, 'evidenceBy' | 'isOpen' | 'statements'>;
  /** Null: this reader may not say anything. */
  readonly say: ((body: string, attachments: Attachment[]) => Promise<string | null>) | null;
  readonly download: (attachmentId: string) => Promise<{
    readonly bytes: Uint8Array;
    readonly contentType: string;
    readonly filename: string | null;
  }>;
}

/** What both sides of a dispute say, with their files, and the form to say more. */
export function evidence({ dispute, say, download }: Evidence): HTMLElement[] {
  const { evidenceBy, isOpen, statements } = dispute;
  return [
    isOpen &&
      element(
        'p',
        { class: 'soft' },
        'Both sides have time until ',
        timeOf(evidenceBy),
        ', a week from the dispute.',
      ),
    statements.length === 0 && element('p', { class: 'soft' }, 'Nobody has said anything yet.'),
    ...statements.map((one) => statementPart(one, download)),
    isOpen && say !== null && statementForm(say),
  ].filter((one) => one !== false);
}

function statementPart({ attachments, body, createdAt, from }: Statement, download: Evidence['download']) {
  return element(
    'div',
    { class: 'message' },
    element('p', { class: 'fine' }, `${AUTHORS[from]}, ${instant(createdAt)}`),
    element('div', { class: 'seller-prose', dir: 'auto' }, untrustedText(body)),
    // The file needs the key, so a plain link could not load it.
    ...attachments.map(({ filename, id }) =>
      actionForm(`Get ${oneLine(filename, 60)}`, [], async () => {
        const { bytes, contentType } = await download(id);
        return offerFile(bytes as Uint8Array<ArrayBuffer>, filename, { type: contentType });
      }),
    ),
  );
}

function statementForm(say: NonNullable<Evidence['say']>): HTMLElement {
  const form = actionForm(
    'Send to both sides',
    [
      {
        name: 'body',
        label: 'What you have to say',
        type: 'textarea',
        attributes: { required: '', rows: '4', maxlength: '10000' },
      },
      {
        name: 'files',
        label: 'Files, at most five of 4 MB (optional)',
        type: 'file',
        attributes: { multiple: '' },
      },
    ],
    async ({ body = '' }) => {
      const input = form.querySelector<HTMLInputElement>('input[type=file]');
      return say(body, await attachmentsOf([...(input?.files ?? [])]));
    },
  );
  return form;
}
