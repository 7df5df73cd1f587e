const LINE_WIDTH = 110;

/** JSON as the repository formats it: two spaces, and a list on one line where it fits. */
export function printJson(value: unknown, indent = '', used = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every(isFlat)) {
      const line = `[${value.map((item) => printJson(item)).join(', ')}]`;
      if (indent.length + used + line.length < LINE_WIDTH) return line;
    }
    return `[\n${value.map((item) => inner + printJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  const lines = members.map(([key, member]) => {
    const name = `${JSON.stringify(key)}: `;
    return inner + name + printJson(member, inner, name.length);
  });
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
