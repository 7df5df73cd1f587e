/** Where a file begins; the first one begins nowhere. */
interface Place {
  readonly after?: string;
}

export type ReadCsv<Asked = unknown> = (page: Place & Asked) => Promise<{ readonly bytes: Uint8Array }>;

/** All files of a long table, each asked for by what ended the one before; one without rows is the end. */
export async function csvFiles(read: ReadCsv, afterOf: (lastRow: string) => string): Promise<string[]> {
  const files: string[] = [];
  let place: Place = {};
  for (;;) {
    const text = new TextDecoder().decode((await read(place)).bytes);
    const last = text.trim().split('\r\n').slice(1).at(-1);
    if (last === undefined) return files;
    files.push(text);
    place = { after: afterOf(last) };
  }
}

/** The files as one table, under the heads of the first. */
export const joinCsv = ([first = '', ...others]: readonly string[]): string =>
  first + others.map((text) => text.slice(text.indexOf('\r\n') + 2)).join('');
