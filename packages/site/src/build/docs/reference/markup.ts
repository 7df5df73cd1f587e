import { html, raw } from 'hono/html';
import type { Html } from '../frame.ts';
import type { SchemaRow } from './schema-rows.ts';

interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Html | string)[])[];
}

/** The caption repeats the heading above: it is for readers of screens. */
const REQUEST = 'Request';

/** On a narrow screen the table scrolls within its frame, which the keyboard can reach. */
export function table({ caption, columns, rows }: Table): Html {
  return html`<div class="table-frame" role="group" aria-label="${caption}" tabindex="0"><table>
<caption${caption === REQUEST ? raw(' class="visually-hidden"') : ''}>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([
      first,
      ...rest
    ]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody>
</table></div>
`;
}

/** The fields of an answer. */
export function answerTable(caption: string, rows: readonly SchemaRow[]): Html {
  return table({
    caption,
    columns: ['Field', 'Type', 'Always there', 'Description'],
    rows: rows.map((row) => [
      fieldName(row),
      typeCell(row),
      row.isRequired ? 'yes' : 'no',
      prose(row.description),
    ]),
  });
}

/** What is sent, with where each field goes. */
export function requestTable(rows: readonly (SchemaRow & { readonly place: string })[]): Html {
  return table({
    caption: REQUEST,
    columns: ['Field', 'In', 'Type', 'Required', 'Description'],
    rows: rows.map((row) => [
      fieldName(row),
      row.place,
      typeCell(row),
      row.isRequired ? 'yes' : 'no',
      prose(row.description),
    ]),
  });
}

/** A long name goes on in the next line where a word of it ends. */
function fieldName({ name }: SchemaRow): Html {
  return html`<code>${name.split(/(?<=[._-])/).map((part, index) => html`${index === 0 ? '' : raw('<wbr>')}${part}`)}</code>`;
}

function typeCell({ type, rules }: SchemaRow): Html | string {
  return rules === '' ? type : html`${type}<br><span class="fine">${prose(rules)}</span>`;
}

/** A text in which `backticks` mark code. */
export function prose(text: string): Html {
  const parts = text.split('`');
  // An unpaired backtick is just a character.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}
