import { csvFiles, joinCsv, type ReadCsv } from '../csv-files.ts';
import { offerCsv, section } from '../dom.ts';
import { actionForm } from '../forms.ts';

interface YearFile {
  /** What it is of: the file is called so. */
  readonly name: string;
  readonly read: ReadCsv<{ readonly year: number }>;
  readonly nothing: string;
  /** Of the first cell of a row, where the next file begins. */
  readonly afterOf: (cell: string) => string;
}

/** A year as one table for a spreadsheet or an accountant. The files need the key, so a plain link could not load them. */
export function yearFile({ name, nothing, read, afterOf }: YearFile): HTMLElement {
  const field = {
    name: 'year',
    label: 'Year',
    type: 'number',
    attributes: { min: '2020', max: '2999', required: '', value: String(new Date().getUTCFullYear()) },
  };
  const form = actionForm('Get the year as a table (CSV)', [field], async (values) => {
    const year = Number(values.year);
    const files = await csvFiles(
      (page) => read({ ...page, year }),
      (row) => afterOf(row.slice(0, row.indexOf(','))),
    );
    if (files.length === 0) return `${nothing} in ${year}.`;
    return offerCsv(joinCsv(files), `${name}-${year}.csv`);
  });
  return section('A year', form);
}
