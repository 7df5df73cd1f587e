import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { JsonFigure } from '../../components/code.tsx';
import { SellerText } from '../../components/text.tsx';
import { oneLine } from '../../format/text.ts';
import { schemaTable } from '../../query-form/schema-table.ts';

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
        <section class="scroll" aria-label={label} tabindex={0}>
          <table>
            <thead>
              <tr>
                {['Field', 'Type', presence, 'What it is'].map((head) => (
                  <th scope="col">{head}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ path, type, isRequired, text }) => (
                <tr>
                  <th scope="row">
                    <code>
                      <SellerText text={oneLine(path, MAX_NAME)} />
                    </code>
                  </th>
                  <td>{type}</td>
                  <td>{isRequired ? 'Yes' : 'No'}</td>
                  <td>
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
