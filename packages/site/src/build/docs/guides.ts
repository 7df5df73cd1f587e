import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { SITE_ROOT_PLACE } from '../../docs/doc-page.ts';
import { type DocSource, REPOSITORY } from './read-sources.ts';
import { type RenderedMarkdown, renderMarkdown } from './render-markdown.ts';

export interface Guide extends DocSource, RenderedMarkdown {
  /** The file for programs that read it apart from the site: its links are whole. */
  readonly text: string;
}

/** Documents that are served at the root of the site. */
const AT_THE_ROOT = /^docs\/(openapi(-operator)?\.json)$/;

/** Renders the files. It throws where one links to a file that is not there. */
export function renderGuides(sources: readonly DocSource[]): Guide[] {
  const pathOfFile = new Map(sources.map(({ file, path }) => [file, path]));
  return sources.map((source) => {
    const resolve = (href: string) => {
      if (/^(https?:|mailto:|#)/.test(href)) return href;
      const [target = '', anchor] = href.split('#');
      const file = posix.join(posix.dirname(source.file), target);
      const [, document] = AT_THE_ROOT.exec(file) ?? [];
      const path = document === undefined ? pathOfFile.get(file) : `/${document}`;
      if (path === undefined && !existsSync(join(REPOSITORY, file)))
        throw new Error(`${source.file} links to ${href}, which is not there.`);
      if (path === undefined) return null;
      return anchor === undefined ? path : `${path}#${anchor}`;
    };
    const rendered = renderMarkdown(source.markdown, resolve);
    const text = rewriteLinks(source.markdown, (href) => wholeLink(source.path, resolve(href)));
    return { ...source, ...rendered, text };
  });
}

/** The same place in the text of the guide that the link leads to. */
function wholeLink(ofPage: string, href: string | null): string | null {
  if (href === null || /^(https?:|mailto:)/.test(href)) return href;
  const [path = '', anchor] = (href.startsWith('#') ? ofPage + href : href).split('#');
  const file = /^\/docs$/.test(path) ? '/docs/README.md' : path.startsWith('/docs/') ? `${path}.md` : path;
  return `${SITE_ROOT_PLACE}${file}${anchor === undefined ? '' : `#${anchor}`}`;
}

const CODE = /(^```[\s\S]*?^```|``[^`]+``)/m;
const LINK = /\[((?:`[^`]*`|\\.|[^[\]\\`])*)\]\(([^)\s]+)\)/g;

/** Markdown with its links changed. Where one leads to nothing that is served, its words stay. Samples stay as they are. */
function rewriteLinks(markdown: string, rewrite: (href: string) => string | null): string {
  const change = (_: string, words: string, href: string) => {
    const link = rewrite(href);
    return link === null ? words : `[${words}](${link})`;
  };
  const parts = markdown.split(CODE);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replaceAll(LINK, change))).join('');
}
