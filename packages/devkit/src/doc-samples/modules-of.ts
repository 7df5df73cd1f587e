import { type Sample, samplesOf } from './samples-of.ts';

/** A page's samples as the compiler can read them: one module for each, line by line as on the page. */
export interface SampleModule {
  /** The line that the sample begins on; what stands above it is an earlier sample's. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string;
}

const IMPORT = /^import\b[^;]*?\bfrom\s*'[^']*';/gm;

/**
 * Samples of one page are read from top to bottom: each knows what those above it imported and declared, and may
 * declare it anew. So each becomes a module with those above it around it, block in block; imports go to the first line,
 * where a page has its title, and every other line stays where it is.
 */
export function modulesOf(
  page: string,
  isIncluded: (sample: Sample) => boolean = () => true,
): SampleModule[] {
  const lines = page.split('\n');
  const samples = samplesOf(page, 'ts')
    .filter(isIncluded)
    .map((one) => ({ from: one.firstLine - 1, to: one.lastLine }));
  return samples.map(({ from, to }, index) => {
    const shown = samples.slice(0, index + 1);
    const code = lines.map((line, at) => (shown.some((one) => at >= one.from && at < one.to) ? line : ''));
    const { rest, imports } = withoutImports(code.join('\n'));
    const body = withoutExports(rest).split('\n');
    for (const one of shown) body[one.from - 1] = '{';
    body[0] = importsOnce(imports).join(' ');
    const text = `${body.slice(0, to).join('\n')}\n${'}'.repeat(shown.length)} export {};\n`;
    return { firstLine: from + 1, lastLine: to, text };
  });
}

function withoutImports(code: string): { rest: string; imports: string[] } {
  const imports: string[] = [];
  const rest = code.replaceAll(IMPORT, (statement) => {
    imports.push(statement.replaceAll(/\s+/g, ' '));
    return statement.replaceAll(/[^\n]/g, '');
  });
  return { rest, imports };
}

/** What a module gives away cannot stand in a block. */
function withoutExports(code: string): string {
  return code
    .replaceAll(/^export default /gm, 'const exported = ')
    .replaceAll(/^export (?=const|function|class|interface|type)/gm, '');
}

/** Two samples may import the same. */
function importsOnce(statements: readonly string[]): string[] {
  const named = new Map<string, Set<string>>();
  const others = new Set<string>();
  for (const statement of statements) {
    const [, names, source] = /^import \{(.*)\} from ('.*');$/.exec(statement) ?? [];
    if (names === undefined || source === undefined) {
      others.add(statement);
      continue;
    }
    const known = named.get(source) ?? new Set();
    named.set(source, known);
    for (const name of names.split(',').map((one) => one.trim())) if (name) known.add(name);
  }
  return [
    ...others,
    ...[...named].map(([source, names]) => `import { ${[...names].join(', ')} } from ${source};`),
  ];
}
