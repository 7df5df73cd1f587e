import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** The packages of runtimes are for Linux on x64, as are the machines where all tests must run. */
export const runsHere = process.platform === 'linux' && process.arch === 'x64';

/** The path of a program that lies in a package, such as `@deno/linux-x64-glibc/deno`. */
export function programOf(program: string): string {
  const [scope = '', name = '', ...rest] = program.split('/');
  if (scope === '') return program;
  const [folder, file] = scope.startsWith('@') ? [`${scope}/${name}`, rest] : [scope, [name, ...rest]];
  return join(dirname(resolve(`${folder}/package.json`)), ...file);
}
