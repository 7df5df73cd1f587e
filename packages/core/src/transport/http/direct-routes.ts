/** What answers a method at a path; `{name}` in the path stands for one segment. */
export interface DirectRoute<Target> {
  readonly method: string;
  readonly path: string;
  readonly target: Target;
}

export interface DirectMatch<Target> {
  readonly target: Target;
  readonly parameters: Record<string, string>;
}

interface Pattern<Target> {
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly byMethod: ReadonlyMap<string, Target>;
}

/**
 * Finds what a router would find, for the requests that need no router: a path that is written plainly and
 * answers to the method. It gives null for all else (escapes, HEAD, preflights, wrong methods, unknown
 * paths), and decides nothing about it. Routing by Hono takes about as long as signing an answer.
 */
export function directRoutes<Target>(routes: readonly DirectRoute<Target>[]) {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const statics = new Map<string, ReadonlyMap<string, Target>>();
  const patterns: Pattern<Target>[] = [];
  for (const [path, atPath] of byPath) {
    const byMethod = new Map(atPath.map(({ method, target }) => [method, target]));
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
    if (names.length === 0) statics.set(path, byMethod);
    else
      patterns.push({
        expression: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
        names,
        byMethod,
      });
  }
  // As the router has it: of two patterns that fit, the one with fewer parameters.
  patterns.sort((a, b) => a.names.length - b.names.length);

  return (method: string, url: string): DirectMatch<Target> | null => {
    const start = url.indexOf('/', url.indexOf('://') + 3);
    const query = url.indexOf('?', start);
    const path = url.slice(start, query === -1 ? undefined : query);
    if (path.includes('%') || path.includes('#')) return null;
    const exact = statics.get(path);
    if (exact) {
      const target = exact.get(method);
      return target === undefined ? null : { target, parameters: {} };
    }
    for (const { expression, names, byMethod } of patterns) {
      const values = expression.exec(path);
      if (!values) continue;
      const target = byMethod.get(method);
      if (target === undefined) return null;
      const parameters: Record<string, string> = {};
      for (const [index, name] of names.entries()) parameters[name] = values[index + 1] as string;
      return { target, parameters };
    }
    return null;
  };
}
