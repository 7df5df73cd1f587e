/** A page of stored summaries and the total, joined as text. */
export function pageOf(page: D1Result | undefined, count: D1Result | undefined): string {
  const summaries = (page?.results ?? []) as { summary: string }[];
  const [counted] = (count?.results ?? []) as { total: number }[];
  const joined = summaries.map(({ summary }) => summary).join(',');
  return `{"listings":[${joined}],"total":${counted?.total ?? 0}}`;
}
