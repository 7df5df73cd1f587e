import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { meteredPriceText } from '@agent-marketplace/protocol/metered-units.ts';
import { listingPrice } from '../format/figures.ts';
import { jsonTree } from '../format/json-tree.ts';
import { type Outline, outline } from '../format/outline.ts';
import { oneLine, visibleText } from '../format/text.ts';
import { schemaTable } from '../query-form/schema-table.ts';
import type { ReadDraft } from './listing-draft.ts';

const LONGEST_DESCRIPTION = 600;

/** What buyers will see of a listing, made while it is typed. */
export function listingPreview({ listing, faults }: ReadDraft): Outline {
  const { title, description, meter, inputSchema, preview } = listing;
  const isPriced = !faults.has('price') && !faults.has('maxUnits');
  const price = meter ? meteredPriceText(meter) : listingPrice(listing);
  const fields = isJsonObject(inputSchema) ? schemaTable(inputSchema) : [];
  const text = visibleText(description);
  return outline(
    'div',
    { class: 'stack' },
    outline('h3', { class: 'for-sale' }, written(oneLine(title, 200)) ?? soft('Your title')),
    outline('p', { class: 'offer-price' }, isPriced ? price : '–'),
    text === ''
      ? soft('Your description')
      : outline(
          'p',
          { class: 'seller-prose' },
          text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION)}…` : text,
        ),
    fields.length > 0 &&
      outline(
        'div',
        { class: 'stack close' },
        outline('h4', {}, 'What a buyer fills in'),
        outline(
          'ul',
          { class: 'plain' },
          ...fields.map(({ path, type, isRequired }) =>
            outline('li', {}, written(oneLine(path, 80)) ?? '', `: ${type}${isRequired ? '' : ', optional'}`),
          ),
        ),
      ),
    isJsonObject(preview) &&
      Object.keys(preview).length > 0 &&
      outline(
        'div',
        { class: 'stack close tree' },
        outline('h4', {}, 'A sample of the answer'),
        jsonTree(preview),
      ),
  );
}

const written = (text: string): Outline | null =>
  text === '' ? null : outline('bdi', { class: 'seller-text', dir: 'auto' }, text);

const soft = (text: string): Outline => outline('span', { class: 'soft' }, text);
