import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type DocSource, REPOSITORY } from './read-sources.ts';
import { type RenderedMarkdown, renderMarkdown } from './render-markdown.ts';

export interface Guide extends DocSource, RenderedMarkdown {}

/** Documents that are served at the root of the site. */
const AT_THE_ROOT = /^docs\/(openapi(-operator)?\.json)$/;

/** Renders the files. It throws where one links to a file that is not there. */
export function renderGuides(sources: readonly DocSource[]): Guide[] {
  const pathOfFile = new Map(sources.map(({ file, path }) => [file, path]));
  return sources.map((source) => {
    const rendered = renderMarkdown(source.markdown, (href) => {
      if (/^(https?:|mailto:|#)/.test(href)) return href;
      const [target = '', anchor] = href.split('#');
      const file = posix.join(posix.dirname(source.file), target);
      const [, document] = AT_THE_ROOT.exec(file) ?? [];
      const path = document === undefined ? pathOfFile.get(file) : `/${document}`;
      if (path === undefined && !existsSync(join(REPOSITORY, file)))
        throw new Error(`${source.file} links to ${href}, which is not there.`);
      if (path === undefined) return null;
      return anchor === undefined ? path : `${path}#${anchor}`;
    });
    return { ...source, ...rendered };
  });
}
