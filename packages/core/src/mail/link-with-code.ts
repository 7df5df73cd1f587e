/** A page with the code that it takes behind `#`, where no server, proxy or log sees it. */
export const linkWithCode = (page: string, code: string): string => `${page}#token=${code}`;
