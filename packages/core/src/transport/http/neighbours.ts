import { STANDARD_DOCUMENTS } from '../../kernel/documents/standard-documents.ts';

/** The paths below the API root that other Workers serve, with the service binding of each. */
export type Neighbours<Binding extends string> = Readonly<Record<string, Binding>>;

/**
 * The binding that serves a request, or null where the API Worker does. It forwards the request unless a zone route
 * leads to the other Worker directly.
 */
export function neighbourOf<Binding extends string>(
  request: Request,
  root: string,
  neighbours: Neighbours<Binding>,
  /** Serves every path that is not below the root, but for documents that the API Worker serves there. */
  outside: Binding | null = null,
): Binding | null {
  const start = request.url.indexOf('/', request.url.indexOf('://') + 3);
  if (!isAtOrBelow(request.url, root, start)) return isDocument(request.url, start) ? null : outside;
  // Compares text: parsing the URL of every request would cost more.
  for (const [prefix, binding] of Object.entries(neighbours)) {
    if (isAtOrBelow(request.url, root + prefix, start)) return binding;
  }
  return null;
}

const DOCUMENTS = Object.values(STANDARD_DOCUMENTS);

function isDocument(url: string, start: number): boolean {
  return DOCUMENTS.some(
    (path) => url.startsWith(path, start) && [undefined, '?'].includes(url[start + path.length]),
  );
}

function isAtOrBelow(url: string, path: string, start: number): boolean {
  return url.startsWith(path, start) && [undefined, '/', '?'].includes(url[start + path.length]);
}
