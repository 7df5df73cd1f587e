type Read = (after?: string) => Promise<{ readonly bytes: Uint8Array }>;

/** All files of a long table, each asked for by what ended the one before; one without rows is the end. */
export async function csvFiles(
  read: Read,
  afterOf: (lastRow: string) => string | undefined,
): Promise<string[]> {
  const files: string[] = [];
  let after: string | undefined;
  for (;;) {
    const text = new TextDecoder().decode((await read(after)).bytes);
    const last = text.trim().split('\r\n').slice(1).at(-1);
    if (last === undefined) return files;
    files.push(text);
    after = afterOf(last);
  }
}

/** The files as one table, under the heads of the first. */
export const joinCsv = ([first = '', ...others]: readonly string[]): string =>
  first + others.map((text) => text.slice(text.indexOf('\r\n') + 2)).join('');
