import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { JsonFigure } from '../../components/code.tsx';
import { Drawn } from '../../components/drawn.tsx';
import { jsonTree } from '../../format/json-tree.ts';
import { SchemaTable } from './schema-table.tsx';

type Detail = Operations['getListing']['output'];

const ANSWER = {
  heading: 'Each answer is checked against this',
  label: 'Fields of the answer',
  presence: 'Always there',
  source: 'JSON Schema of the answer',
} as const;

/** What an answer looks like: the seller's sample, and the schema that answers are checked against. */
export function WhatYouGet({ listing, preview }: { listing: Detail['listing']; preview: Detail['preview'] }) {
  const { outputSchema } = listing;
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
      {isJsonObject(outputSchema) && <SchemaTable schema={outputSchema} {...ANSWER} />}
    </section>
  );
}
