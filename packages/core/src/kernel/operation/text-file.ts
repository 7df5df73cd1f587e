import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { FileAnswer, type FileDescription } from './operation.ts';

/** An answer that is a text, as a file in UTF-8. */
export async function textFile(
  text: string,
  { contentType, filename }: Pick<FileDescription, 'contentType' | 'filename'>,
): Promise<FileAnswer> {
  const bytes = new TextEncoder().encode(text);
  return new FileAnswer(
    { digest: `sha256:${await sha256Hex(bytes)}`, contentType, filename },
    async () => bytes,
  );
}
