/** Which part of the interface another Worker answers: path below the API root → its service binding. */
export type Neighbours<Binding extends string> = Readonly<Record<string, Binding>>;

/**
 * The binding that a request belongs to, or null for the API's own. A zone route may lead to the other
 * Worker directly; where none does, the API Worker passes the request on as it is.
 */
export function neighbourOf<Binding extends string>(
  request: Request,
  root: string,
  neighbours: Neighbours<Binding>,
  /** Answers every path that is not below the root. */
  outside: Binding | null = null,
): Binding | null {
  const start = request.url.indexOf('/', request.url.indexOf('://') + 3);
  if (!isAtOrBelow(request.url, root, start)) return outside;
  // No URL is parsed for the paths that are the API's own, which are most.
  for (const [prefix, binding] of Object.entries(neighbours)) {
    if (isAtOrBelow(request.url, root + prefix, start)) return binding;
  }
  return null;
}

function isAtOrBelow(url: string, path: string, start: number): boolean {
  return url.startsWith(path, start) && [undefined, '/', '?'].includes(url[start + path.length]);
}
