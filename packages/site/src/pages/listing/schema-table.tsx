import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { JsonFigure } from '../../components/code.tsx';
import { SellerText } from '../../components/text.tsx';
import { oneLine } from '../../format/text.ts';
import { schemaTable } from '../../query-form/schema-table.ts';

/** What the elements are by themselves. Some browsers forget that where a phone shows a row as a card. */
const ROLES = {
  cell: { role: 'cell' },
  columnheader: { role: 'columnheader' },
  row: { role: 'row' },
  rowgroup: { role: 'rowgroup' },
  rowheader: { role: 'rowheader' },
  table: { role: 'table' },
} as const;

const MAX_NAME = 120;
const MAX_TEXT = 300;

interface Props {
  readonly schema: JsonObject;
  readonly heading: string;
  /** Of the table, for readers of screens. */
  readonly label: string;
  /** Heads the column that tells whether a field has to be there. */
  readonly presence: string;
  /** Heads the schema itself. */
  readonly source: string;
}

/** A seller's schema as a table, and as it is. */
export function SchemaTable({ schema, heading, label, presence, source }: Props) {
  const rows = schemaTable(schema);
  return (
    <>
      <h3>{heading}</h3>
      {rows.length > 0 && (
        <section class="scroll cards" aria-label={label} tabindex={0}>
          <table {...ROLES.table}>
            <thead {...ROLES.rowgroup}>
              <tr {...ROLES.row}>
                {['Field', 'Type', presence, 'What it is'].map((head) => (
                  <th scope="col" {...ROLES.columnheader}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody {...ROLES.rowgroup}>
              {rows.map(({ path, type, isRequired, text }) => (
                <tr {...ROLES.row}>
                  <th scope="row" {...ROLES.rowheader}>
                    <code>
                      <SellerText text={oneLine(path, MAX_NAME)} />
                    </code>
                  </th>
                  <td {...ROLES.cell} data-head="Type">
                    {type}
                  </td>
                  <td {...ROLES.cell} data-head={presence}>
                    {isRequired ? 'Yes' : 'No'}
                  </td>
                  <td {...ROLES.cell} data-head="What it is">
                    <SellerText text={oneLine(text, MAX_TEXT)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <details>
        <summary>The schema as JSON</summary>
        <JsonFigure label={source} value={schema} />
      </details>
    </>
  );
}
