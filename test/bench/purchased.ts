/** What the purchase row buys: the platform's own table of countries, one entry of it. */
export const PURCHASED = '46d2fb03-7eeb-40ea-83da-cae3ba970dc8';
export const PURCHASED_QUERY = { alpha2: 'DE' };

/** What the wallet row buys. */
export const PRICED = '00000000-0000-4000-8000-cccccccccccc';
export const PRICE_CENTS = 1;
