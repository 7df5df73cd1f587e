/** The caller chooses the Host header and so the base URL; more entries would let it fill the memory. */
const MAX_BASE_URLS = 4;

/** Builds a value once per isolate and base URL. What else it is built with is the isolate's. */
export function oncePerBaseUrl<T, Rest extends unknown[] = []>(
  build: (baseUrl: string, ...rest: Rest) => Promise<T>,
): (baseUrl: string, ...rest: Rest) => Promise<T> {
  const built = new Map<string, Promise<T>>();
  return (baseUrl, ...rest) => {
    const known = built.get(baseUrl);
    if (known) return known;
    const fresh = build(baseUrl, ...rest);
    const [oldest] = built.keys();
    if (oldest !== undefined && built.size >= MAX_BASE_URLS) built.delete(oldest);
    built.set(baseUrl, fresh);
    fresh.catch(() => built.delete(baseUrl));
    return fresh;
  };
}
