import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { PlatformListing } from '../platform-listing.ts';
import { type TableDeclaration, table } from '../table.ts';

type Declared = Pick<PlatformListing, 'id' | 'slug' | 'title' | 'description'> & {
  readonly source: string;
  readonly method: string;
  readonly example: JsonObject;
};

type Answering = Pick<PlatformListing, 'preview' | 'inputSchema' | 'outputSchema' | 'answer'>;

/** A free listing of public-domain facts. All of them are filed as reference data. */
export function curatedAnswer(declared: Declared & Answering): PlatformListing {
  return {
    id: declared.id,
    slug: declared.slug,
    kind: 'curated',
    verticalSlug: 'reference-data',
    title: declared.title,
    description: declared.description,
    preview: declared.preview,
    inputSchema: declared.inputSchema,
    outputSchema: declared.outputSchema,
    exampleQuery: declared.example,
    sourceAttribution: declared.source,
    dataOrigin: 'Public-domain facts',
    collectionMethod: declared.method,
    answer: declared.answer,
  };
}

export function curatedTable(declared: Declared & Omit<TableDeclaration, 'notice'>): PlatformListing {
  const facts = table(declared);
  return curatedAnswer({
    ...declared,
    preview: {
      columns: Object.keys(declared.columns),
      rowCount: facts.rows.length,
      exampleRow: facts.rows[0] ?? null,
    },
    inputSchema: facts.inputSchema,
    outputSchema: facts.outputSchema,
    answer: (query) => facts.answer(query),
  });
}
