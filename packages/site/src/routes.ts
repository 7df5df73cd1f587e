import type { SitePage } from './page.ts';

export interface Route {
  readonly page: SitePage;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the page of a path: `/listings/{id}` takes one segment for `id`. */
export function createRoutes(pages: readonly SitePage[]): (path: string) => Route | null {
  const compiled = pages.map((page) => ({ page, pattern: patternOf(page.path) }));
  return (path) => {
    for (const { page, pattern } of compiled) {
      const match = pattern.exec(path);
      const params = match && decodeParams(match.groups ?? {});
      if (params) return { page, params };
    }
    return null;
  };
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`);
}

/** Null if an escape sequence is broken: no page has such a path. */
function decodeParams(groups: Readonly<Record<string, string>>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return null;
  }
}
