/** What to do with a file of evidence. */
export const keptText = (file: string): string =>
  `What was read is in ${file}. Keep it, and show it to others: agent-market verify evidence ${file} --policy … --keys … checks it again without network.`;
