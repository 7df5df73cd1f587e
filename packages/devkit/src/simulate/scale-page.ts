const BEGIN = '<!-- pnpm simulate --write: begin -->\n';
const END = '\n<!-- pnpm simulate --write: end -->';

/** What stands between the marks of docs/scale.md. */
export function reportIn(page: string): string {
  const [, rest] = page.split(BEGIN);
  const [report] = rest?.split(END) ?? [];
  if (report === undefined) throw new Error('docs/scale.md has no place for the results.');
  return report;
}

export function withReport(page: string, report: string): string {
  return page.replace(BEGIN + reportIn(page) + END, () => BEGIN + report + END);
}
