import { cpus, totalmem } from 'node:os';

export interface Measured {
  readonly with: string;
  readonly ratio: number;
  /** Of the rounds, lowest and highest. */
  readonly spread: readonly [number, number];
  readonly perSecond: number;
  /** Of the runtime, for one request. */
  readonly processorUs: number;
  /** The other's processor time by the row's: what the ratio would be if nothing else ran on the machine. */
  readonly processorRatio: number;
  readonly target?: number;
  readonly floor?: number;
}

export interface MeasuredRow {
  readonly id: string;
  readonly title: string;
  readonly perSecond: number;
  readonly processorUs: number;
  readonly comparisons: readonly Measured[];
}

export interface Results {
  readonly measuredAt: string;
  readonly machine: string;
  readonly tool: string;
  readonly rows: readonly MeasuredRow[];
}

export function machine(): string {
  return `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ];
  return (low + high) / 2;
}

const HEADINGS = [
  'row',
  'req/s',
  'µs',
  'against',
  'ratio',
  'spread',
  'by processor time',
  'target',
  'floor',
  '',
];

/** A Markdown table, columns aligned. */
export function tableOf(rows: readonly MeasuredRow[]): string {
  const cells = rows.flatMap(({ title, perSecond, processorUs, comparisons }) =>
    comparisons.map((one, index) => [
      index === 0 ? title : '',
      index === 0 ? figure(perSecond) : '',
      index === 0 ? figure(processorUs) : '',
      `${one.with} (${figure(one.perSecond)}/s, ${figure(one.processorUs)} µs)`,
      figure(one.ratio),
      one.spread.map(figure).join('–'),
      figure(one.processorRatio),
      one.target === undefined ? '' : `≥ ${figure(one.target)}`,
      one.floor === undefined ? '' : figure(one.floor),
      verdictOf(one),
    ]),
  );
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const lineOf = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [
    lineOf(HEADINGS),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...cells.map(lineOf),
  ].join('\n');
}

function verdictOf({ ratio, target }: Measured): string {
  if (target === undefined) return '';
  return ratio >= target ? 'pass' : `falls short by ${Math.ceil((1 - ratio / target) * 100)} %`;
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
