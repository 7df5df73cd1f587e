import type { FileDescription } from '../../kernel/operation/operation.ts';

/** A strong tag: a file is sent byte for byte. */
function fileTag(digest: string): string {
  return `"${digest.slice('sha256:'.length)}"`;
}

/**
 * Sends a file as a download, which no browser shows as a page, whatever its bytes are. Its address alone may grant
 * access, so no shared cache may store it.
 */
export function fileHeaders({ digest, contentType, filename }: FileDescription): Record<string, string> {
  return {
    ...fileIdentity(digest),
    'content-type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    'content-disposition': contentDisposition(filename),
    'content-security-policy': "default-src 'none'; sandbox",
  };
}

/** The headers of a 304 answer too. */
export function fileIdentity(digest: string): Record<string, string> {
  return {
    etag: fileTag(digest),
    'x-content-sha256': digest.slice('sha256:'.length),
    'cache-control': 'private, no-cache',
  };
}

/** RFC 6266: an ASCII name for every client, and the exact name for clients that support it. */
function contentDisposition(filename: string): string {
  const plain = filename.replaceAll(/[^\w .()+,=@-]/g, '_');
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
