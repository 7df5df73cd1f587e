import GithubSlugger from 'github-slugger';
import MarkdownIt, { type Env, type StateCore, type Token } from 'markdown-it';
import { sampleFigure } from './sample-figure.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** What stands below a heading, or above the first one. */
export interface Section {
  readonly id: string | null;
  readonly heading: string;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly title: string;
  readonly description: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Where a link leads on the site. Null: to a file that is no page, so that its text stays and leads nowhere. */
export type ResolveLink = (href: string) => string | null;

interface PageEnv extends Env {
  readonly resolveLink: ResolveLink;
  readonly headings: Heading[];
}

const MAX_DESCRIPTION_LENGTH = 180;

const markdown = new MarkdownIt({ html: true });
const { rules } = markdown.renderer;
rules.fence = (tokens, index) => {
  const [, language = '', note = ''] = /^(\S*)(.*)/.exec(tokens[index]?.info ?? '') ?? [];
  return sampleFigure(tokens[index]?.content ?? '', language, note.trim());
};
rules.code_block = (tokens, index) => sampleFigure(tokens[index]?.content ?? '', '');
// On a narrow screen the table scrolls in its frame, which the keyboard can reach.
rules.table_open = () => '<div class="table-frame" role="group" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';
rules.html_inline = (tokens, index) => allowedMarkup(tokens[index]?.content ?? '');
rules.html_block = (tokens, index) => allowedMarkup(tokens[index]?.content ?? '');
rules.heading_open = (tokens, index) => {
  const { tag, attrs } = tokens[index] ?? { tag: '', attrs: null };
  const id = attrs?.find(([name]) => name === 'id')?.[1];
  return tag === 'h1' ? `<h1 id="${id}">` : `<${tag} id="${id}"><a class="heading-link" href="#${id}">`;
};
rules.heading_close = (tokens, index) => {
  const tag = tokens[index]?.tag;
  return tag === 'h1' ? '</h1>\n' : `</a></${tag}>\n`;
};
markdown.core.ruler.push('site', (state: StateCore) => {
  const env = state.env as PageEnv;
  const slugger = new GithubSlugger();
  for (const [index, token] of state.tokens.entries()) {
    const next = state.tokens[index + 1];
    if (token.type === 'heading_open') {
      const text = textOf(next);
      // The same ids as on the forge, so that links between files lead to the same places on both.
      const id = slugger.slug(text);
      token.attrSet('id', id);
      env.headings.push({ level: Number(token.tag.slice(1)), id, text });
    }
    if (token.type === 'th_open') {
      if (textOf(next) === '') token.tag = 'td';
      else token.attrSet('scope', 'col');
    }
    if (token.type === 'th_close' && textOf(state.tokens[index - 1]) === '') token.tag = 'td';
    if (token.type === 'inline') followLinks(token.children ?? [], env.resolveLink);
  }
});

/** The page of a file. It throws where the file holds markup that no page needs. */
export function renderMarkdown(text: string, resolveLink: ResolveLink): RenderedMarkdown {
  const env: PageEnv = { resolveLink, headings: [] };
  const tokens = markdown.parse(text, env);
  const html = markdown.renderer.render(tokens, markdown.options, env);
  const sections = sectionsOf(tokens, env.headings);
  return {
    title: env.headings[0]?.text ?? '',
    description: descriptionOf(tokens),
    html,
    headings: env.headings,
    sections,
  };
}

/** Of markup in a file: line breaks stay, and comments go. */
function allowedMarkup(content: string): string {
  if (/^<!--.*-->\s*$/.test(content)) return '';
  if (content !== '<br>') throw new Error(`Markup in a page of the documentation: ${content}`);
  return content;
}

function followLinks(children: readonly Token[], resolveLink: ResolveLink): void {
  let isUnlinked = false;
  for (const child of children) {
    if (child.type === 'link_open') {
      const href = resolveLink(String(child.attrGet('href') ?? ''));
      isUnlinked = href === null;
      child.attrs = href === null ? null : [['href', href]];
    }
    if (isUnlinked && /^link_/.test(child.type)) child.tag = 'span';
  }
}

function textOf(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (/break$/.test(type) ? ' ' : content)).join('');
}

function descriptionOf(tokens: readonly Token[]): string {
  const first = tokens.findIndex(({ type }) => type === 'paragraph_open');
  const text = textOf(tokens[first + 1]);
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  const cut = text.slice(0, MAX_DESCRIPTION_LENGTH);
  return `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections: { id: string | null; heading: string; text: string }[] = [];
  let heading = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const { id, text, level } = headings[heading] ?? { id: '', text: '', level: 1 };
      heading += 1;
      sections.push({ id: level === 1 ? null : id, heading: text, text: '' });
    }
    const section = sections.at(-1);
    if (!section || tokens[index - 1]?.type === 'heading_open') continue;
    if (token.type === 'inline') section.text += `${textOf(token)}\n`;
    if (token.type === 'fence' || token.type === 'code_block') section.text += token.content;
  }
  return sections;
}
