import type { Operations } from '@agent-marketplace/sdk';
import { codeOutline } from '../format/code-outline.ts';
import { price } from '../format/figures.ts';
import { jsonTree } from '../format/json-tree.ts';
import { type Outline, outline } from '../format/outline.ts';
import { platformLink, visibleText } from '../format/text.ts';
import { saleSteps } from './sale-steps.ts';

type Purchase = Operations['purchaseListing']['output'];

/** So much JSON is shown as text; all of it is in the file that can be saved. */
const MAX_SHOWN_CHARACTERS = 100_000;

/** What was bought just now: the steps, the answer, and its receipt. The script of the listing checks the receipt. */
export function purchaseOutline(purchase: Purchase, apiBaseUrl: string): Outline {
  const checkout = platformLink(purchase.checkoutUrl);
  return outline(
    'div',
    { class: 'stack' },
    saleSteps(purchase),
    checkout === null ? null : payOutline(purchase, checkout),
    purchase.contentStatus === 'delivered' && answerOutline(purchase),
    receiptOutline(purchase, apiBaseUrl),
  );
}

function payOutline({ amountCents }: Purchase, checkout: string): Outline {
  return outline(
    'div',
    { class: 'note waiting stack close' },
    outline(
      'p',
      {},
      `Nothing is charged yet. On the card processor’s page ${price(amountCents)} is reserved; it is charged only when the seller delivers. After that you come back to the page of your purchase: keep its address.`,
    ),
    outline(
      'p',
      {},
      outline('a', { class: 'button', href: checkout, rel: 'noreferrer' }, `Pay ${price(amountCents)}`),
    ),
  );
}

interface AnswerHead {
  readonly heading?: Outline;
  readonly notes?: readonly Outline[];
}

const NOT_KEPT = outline(
  'p',
  { class: 'fine' },
  'Written by the seller. The marketplace keeps no copy: save it.',
);

/** What the seller delivered, for people first. `notes` stand above it. */
export function answerOutline(
  { id, content }: Pick<Purchase, 'id' | 'content'>,
  { heading = outline('h3', {}, 'The answer'), notes = [NOT_KEPT] }: AnswerHead = {},
): Outline {
  const json = visibleText(JSON.stringify(content, null, 2) ?? 'null');
  const isCut = json.length > MAX_SHOWN_CHARACTERS;
  return outline(
    'section',
    { class: 'stack', id: 'delivered', 'data-file': `${id}.json`, 'aria-label': 'The answer' },
    heading,
    ...notes,
    jsonTree(withoutDigest(content)),
    outline(
      'details',
      {},
      outline('summary', {}, 'As JSON'),
      codeOutline(isCut ? 'The beginning' : 'Answer', json.slice(0, MAX_SHOWN_CHARACTERS)),
    ),
  );
}

/** The seller's own digest is of use to programs only: it stays in the JSON. */
function withoutDigest(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content;
  const { __sha256: _digest, ...rest } = content as Readonly<Record<string, unknown>>;
  return rest;
}

/** The receipt. The data attribute has the exact purchase, for the script that checks it. */
export function receiptOutline(purchase: Pick<Purchase, 'receipt'>, apiBaseUrl: string): Outline | null {
  if (purchase.receipt === null) return null;
  return outline(
    'section',
    { class: 'stack', 'aria-labelledby': 'receipt' },
    outline('h2', { id: 'receipt' }, 'Receipt'),
    outline(
      'p',
      {
        id: 'verdict',
        class: 'note',
        'data-api': apiBaseUrl,
        'data-purchase': JSON.stringify(purchase),
        role: 'status',
      },
      'Signed by the marketplace. Anyone can ',
      outline('a', { href: '/verify' }, 'verify'),
      ' it, offline, even years from now.',
    ),
    outline(
      'details',
      {},
      outline('summary', {}, 'The signed receipt'),
      codeOutline('Receipt', JSON.stringify(purchase.receipt, null, 2)),
    ),
  );
}
