/** The texts longer than a line that an answer has more than once: in its data, or in its data and its text. */
export function longTextsTwice(data: unknown, text: string): string[] {
  const long = textsOf(data).filter((one) => one.length > 160);
  const quoted = (one: string) => JSON.stringify(one).slice(1, -1);
  return long.filter(
    (one, index) => long.indexOf(one) !== index || text.includes(one) || text.includes(quoted(one)),
  );
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
