import { plainLine } from './plain-text.ts';

/** A column's heading, and the widest that it may be. */
export interface Column {
  readonly heading: string;
  readonly width?: number;
  readonly align?: 'right';
}

/** Rows in columns without lines, as other programs can cut them; what strangers wrote is made plain. */
export async function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const built = new Table({
    head: columns.map(({ heading }) => heading),
    colAligns: columns.map(({ align }) => align ?? 'left'),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2, compact: true },
    chars: Object.fromEntries(LINES.map((name) => [name, ''])),
  });
  built.push(...rows.map((row) => row.map((cell, index) => fit(plainLine(cell), columns[index]?.width))));
  return built
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const LINES = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
];

function fit(text: string, width = 60): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}
