import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { JsonFigure } from '../../components/code.tsx';
import { Drawn } from '../../components/drawn.tsx';
import { SellerText } from '../../components/text.tsx';
import { jsonTree } from '../../format/json-tree.ts';
import { oneLine, safeLink } from '../../format/text.ts';
import { schemaTable } from '../../query-form/schema-table.ts';

type Detail = Operations['getListing']['output'];

const MAX_NAME = 120;
const MAX_TEXT = 300;

/** What an answer looks like: the seller's sample, and the schema that answers are checked against. */
export function WhatYouGet({ listing, preview }: { listing: Detail['listing']; preview: Detail['preview'] }) {
  const { outputSchema, images } = listing;
  return (
    <section class="stack" aria-labelledby="get">
      <h2 id="get">What you get</h2>
      {Object.keys(preview).length > 0 && (
        <>
          <h3>Sample from the seller</h3>
          <div class="sheet">
            <Drawn outline={jsonTree(preview)} />
          </div>
          <details>
            <summary>The sample as JSON</summary>
            <JsonFigure
              label="Preview from the seller: the only content that the marketplace stores"
              value={preview}
            />
          </details>
        </>
      )}
      {isJsonObject(outputSchema) && <SchemaTable schema={outputSchema} />}
      {images.length > 0 && (
        <>
          <p class="soft">Images, stored by the seller and not shown here:</p>
          <ul>
            {images.map((address) => (
              <li>
                <Elsewhere address={address} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function SchemaTable({ schema }: { schema: JsonObject }) {
  const rows = schemaTable(schema);
  return (
    <>
      <h3>Each answer is checked against this</h3>
      {rows.length > 0 && (
        <section class="scroll" aria-label="Fields of the answer" tabindex={0}>
          <table>
            <thead>
              <tr>
                {['Field', 'Type', 'Always there', 'What it is'].map((head) => (
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
        <JsonFigure label="JSON Schema of the answer" value={schema} />
      </details>
    </>
  );
}

function Elsewhere({ address }: { address: string }) {
  const link = safeLink(address);
  if (link === null) return <SellerText text={address} />;
  return (
    <a class="seller-text" href={link} rel="noopener noreferrer nofollow ugc">
      {link}
    </a>
  );
}
