import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ROOT_PLACE } from '../../docs/doc-page.ts';
import { GROUPS, MORE } from './navigation.data.ts';

export const REPOSITORY = join(import.meta.dirname, '../../../../..');

/** A file that becomes a page. */
export interface DocSource {
  /** From the root of the repository. */
  readonly file: string;
  /** On the site: `/docs/buy`. */
  readonly path: string;
  readonly group: string;
  readonly markdown: string;
}

/** The address of a marketplace on the reader's machine: on the site, guides name the marketplace they are read at. */
const LOCAL_API_ROOT = 'http://localhost:8787/api';

const PAGES = ['docs/*.md', 'docs/adr/*.md', 'packages/sdk/README.md'];

/** Every page in reading order; those of the decisions follow their list. */
export function readSources(): DocSource[] {
  const found = globSync(PAGES, { cwd: REPOSITORY })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
  const isDecision = (file: string) => /^docs\/adr\/(?!README)/.test(file);
  const grouped = GROUPS.flatMap(({ title, files }) => {
    const all = files.flatMap((file) =>
      file === 'docs/adr/README.md' ? [file, ...found.filter(isDecision)] : [file],
    );
    return all.filter((file) => found.includes(file)).map((file) => ({ file, group: title }));
  });
  const named = new Set(grouped.map(({ file }) => file));
  const others = found.filter((file) => !named.has(file)).map((file) => ({ file, group: MORE }));
  return [...grouped, ...others].map(({ file, group }) => ({
    file,
    group,
    path: pathOf(file),
    markdown: readFileSync(join(REPOSITORY, file), 'utf8').replaceAll(LOCAL_API_ROOT, API_ROOT_PLACE),
  }));
}

/** `docs/adr/0010-money.md` is `/docs/adr/0010-money`, and a README stands for its folder. */
export function pathOf(file: string): string {
  const name = file
    .replace(/^docs\//, '')
    .replace(/^packages\//, '')
    .replace(/(^|\/)README\.md$/, '')
    .replace(/\.md$/, '');
  return name === '' ? '/docs' : `/docs/${name}`;
}
