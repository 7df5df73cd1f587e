import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DocPage, fileOfPage } from '../../docs/doc-page.ts';
import { frame, type NavigationEntry } from './frame.ts';
import { type Guide, renderGuides } from './guides.ts';
import { REPOSITORY, readSources } from './read-sources.ts';
import { areaPath } from './reference/operation-page.ts';
import { REFERENCE_PATH, type ReferencePage } from './reference/reference-page.ts';
import { type Reference, readOpenApi, renderReference } from './reference/render-reference.ts';
import { buildSearchIndex } from './search-index.ts';

/** Not in git. `workers/site/wrangler.toml` names it as the folder of static assets. */
const FOLDER = join(import.meta.dirname, '../../../dist/docs');
/** The hash of the inputs that the folder was built from. */
const HASH_FILE = `${FOLDER}.hash`;

/** What the pages are built from: while none of it changes, the build is not repeated. */
const INPUTS = ['docs/**/*.{md,json}', 'packages/sdk/README.md', 'packages/site/src/{build,docs}/**/*.ts'];

const REFERENCE_GROUP = 'API reference';

/** Everything that the site serves of the documentation, by path below the folder. */
export function buildDocs(): Map<string, string> {
  const guides = renderGuides(readSources());
  const reference = renderReference(readOpenApi());
  const { overview, operations } = reference;
  const index = buildSearchIndex(guides, [overview, ...operations]);
  const searchIndex = `search.${hashOf(index).slice(0, 12)}.json`;
  // The reference stands where those who call the API look: after the guides that all begin with.
  const guideEntries = guides.map(guideEntry);
  const [first] = guideEntries;
  const isFirst = ({ group }: NavigationEntry) => group === first?.group;
  const entries = [
    ...guideEntries.filter(isFirst),
    ...referenceEntries(reference),
    ...guideEntries.filter((one) => !isFirst(one)),
  ];
  const order = entries.filter(({ path }) => !path.includes('#'));
  const framed = (path: string, open: string, content: string, neighbours = order) => {
    const at = neighbours.findIndex((one) => one.path === path);
    const [previous = null, next = null] = [neighbours[at - 1], neighbours[at + 1]];
    return frame({ path, open, content, entries, previous, next, searchIndex: `/docs/${searchIndex}` });
  };
  const operationOrder = operations.map(operationEntry);
  return new Map([
    ...guides.map((guide) => pageFile(guide, framed(guide.path, guide.path, guide.html))),
    pageFile(overview, framed(overview.path, overview.path, overview.content)),
    ...operations.map((one) => pageFile(one, framed(one.path, one.area, one.content, operationOrder))),
    ...guides.map(({ path, text }) => [`${path.slice('/docs/'.length) || 'index'}.md`, text] as const),
    [searchIndex, index],
    ['llms-full.txt', fullText(guides)],
  ]);
}

function pageFile({ path, title, description }: Guide | ReferencePage, html: string): [string, string] {
  const page: DocPage = { title, description, html };
  return [fileOfPage(path), JSON.stringify(page)];
}

function guideEntry({ path, title, group, headings }: Guide): NavigationEntry {
  const within = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => ({ path: `${path}#${id}`, title: text }));
  return { path, title, group, within };
}

function referenceEntries({ overview, routesByArea }: Reference): NavigationEntry[] {
  const areas = [...routesByArea].map(([area, routes]) => ({
    path: areaPath(area),
    title: area,
    group: REFERENCE_GROUP,
    within: routes.map(({ operation }) => ({
      path: `${REFERENCE_PATH}/${operation.operationId}`,
      title: operation.operationId,
    })),
  }));
  return [{ path: overview.path, title: 'All operations', group: REFERENCE_GROUP, within: [] }, ...areas];
}

function operationEntry({ path, title, area }: ReferencePage): NavigationEntry {
  return { path, title, group: area, within: [] };
}

/** The guides as one text for language models. What operators and developers read is left out. */
function fullText(guides: readonly Guide[]): string {
  const forUsers = guides.filter(({ group }) => ['Start', 'Tools', 'Special cases'].includes(group));
  const shared = guides.filter(({ file }) => file === 'docs/protocol.md');
  return [...forUsers, ...shared]
    .map(({ text }) => text.trim())
    .join('\n\n---\n\n')
    .concat('\n');
}

/** Writes the folder, unless its inputs are unchanged. Each file appears whole, since several builds may run at once. */
export async function writeDocs(): Promise<void> {
  const inputsHash = hashOfInputs();
  if ((await readFile(HASH_FILE, 'utf8').catch(() => '')) === inputsHash) return;
  const files = buildDocs();
  for (const [path, text] of files) {
    await mkdir(dirname(join(FOLDER, path)), { recursive: true });
    await writeWhole(join(FOLDER, path), text);
  }
  const stale = globSync('**/*.*', { cwd: FOLDER }).filter((path) => !files.has(path.replaceAll('\\', '/')));
  for (const path of stale) await rm(join(FOLDER, path), { force: true });
  await writeWhole(HASH_FILE, inputsHash);
}

async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}

function hashOfInputs(): string {
  const files = globSync(INPUTS, { cwd: REPOSITORY }).sort();
  return hashOf(files.map((file) => `${file}\n${readFileSync(join(REPOSITORY, file), 'utf8')}`).join('\n'));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
