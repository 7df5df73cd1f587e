import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { PlatformListing } from '../platform-listing.ts';
import { schemaDocument, text } from '../schema.ts';
import { type TableDeclaration, table } from '../table.ts';

const SAMPLE_NOTICE =
  'Sample answer of a platform reference listing. Names, rows and rates in it are invented.';

interface Declared {
  readonly id: string;
  readonly vertical: string;
  /** Without the "Reference: " that every reference listing's title starts with. */
  readonly title: string;
  readonly description: string;
  readonly example: JsonObject;
}

const CLOSING =
  'This is a free reference listing: an example of what a good listing of this vertical declares and delivers. ' +
  'Names, rows and rates in it are invented.';

function listing(
  declared: Declared,
  rest: Pick<PlatformListing, 'preview' | 'inputSchema' | 'outputSchema' | 'answer'>,
) {
  const reference: PlatformListing = {
    id: declared.id,
    slug: `reference-${declared.vertical}`,
    kind: 'reference',
    verticalSlug: declared.vertical,
    title: `Reference: ${declared.title}`,
    description: `${declared.description}\n\n${CLOSING}`,
    exampleQuery: declared.example,
    sourceAttribution: null,
    dataOrigin: 'Made up by the platform for this sample',
    collectionMethod: 'Written by hand',
    ...rest,
  };
  return reference;
}

/** A reference listing that sells rows of a sample table. */
export function referenceTable(declared: Declared & Omit<TableDeclaration, 'notice'>): PlatformListing {
  const sample = table({ ...declared, notice: SAMPLE_NOTICE });
  return listing(declared, {
    preview: {
      sample: true,
      columns: Object.keys(declared.columns),
      rowCount: sample.rows.length,
      exampleRow: sample.rows[0] ?? null,
    },
    inputSchema: sample.inputSchema,
    outputSchema: sample.outputSchema,
    answer: (query) => sample.answer(query),
  });
}

interface AnswerDeclaration extends Declared {
  readonly input: Readonly<Record<string, JsonObject>>;
  /** Names of the inputs that must be given. */
  readonly required: readonly string[];
  readonly output: Readonly<Record<string, JsonObject>>;
  readonly answer: (query: JsonObject) => JsonObject | null;
}

/** A reference listing whose deliverable is worked out from the query: a quote, a calculation, a filled-in text. */
export function referenceAnswer(declared: AnswerDeclaration): PlatformListing {
  const answer = (query: JsonObject) => {
    const worked = declared.answer(query);
    return worked === null ? null : { notice: SAMPLE_NOTICE, ...worked };
  };
  return listing(declared, {
    preview: { sample: true, exampleQuery: declared.example, exampleAnswer: answer(declared.example) },
    inputSchema: schemaDocument(declared.input, declared.required),
    outputSchema: schemaDocument({ notice: text('What this data is.'), ...declared.output }),
    answer,
  });
}
