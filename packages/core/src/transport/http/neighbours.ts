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
): Binding | null {
  const start = request.url.indexOf('/', request.url.indexOf('://') + 3);
  // No URL is parsed for the paths that are the API's own, which are most.
  for (const [prefix, binding] of Object.entries(neighbours)) {
    const end = start + root.length + prefix.length;
    const isBelow = request.url.startsWith(root + prefix, start);
    if (isBelow && [undefined, '/', '?'].includes(request.url[end])) return binding;
  }
  return null;
}
