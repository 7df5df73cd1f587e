import { CONSTANTS } from './curated/constants.ts';
import { COUNTRIES } from './curated/countries.ts';
import { CURRENCIES } from './curated/currencies.ts';
import { ELEMENTS } from './curated/elements.ts';
import { HTTP_STATUS_CODES } from './curated/http-status.ts';
import { LEAP_SECONDS } from './curated/leap-seconds.ts';
import { PLANETS } from './curated/planets.ts';
import { SI_UNITS } from './curated/si-units.ts';
import { TIME_ZONES } from './curated/time-zones.ts';
import { UNIT_CONVERSIONS } from './curated/unit-conversions.ts';
import { US_STATES } from './curated/us-states.ts';
import type { PlatformListing } from './platform-listing.ts';
import { ACCESS_REFERENCES } from './reference/access.ts';
import { DATA_REFERENCES } from './reference/data.ts';
import { DIGITAL_ASSET_REFERENCES } from './reference/digital-assets.ts';
import { FINANCE_REFERENCES } from './reference/finance.ts';
import { GOODS_REFERENCES } from './reference/goods.ts';
import { REAL_ESTATE_REFERENCES } from './reference/real-estate.ts';
import { SERVICE_REFERENCES } from './reference/services.ts';
import { SPECIALISED_DATA_REFERENCES } from './reference/specialised-data.ts';
import { WORK_REFERENCES } from './reference/work.ts';
import { WRITING_REFERENCES } from './reference/writing.ts';

/** Every listing that the platform publishes itself: the curated facts, then one reference for each vertical. */
export const PLATFORM_LISTINGS: readonly PlatformListing[] = [
  ELEMENTS,
  CONSTANTS,
  PLANETS,
  COUNTRIES,
  CURRENCIES,
  TIME_ZONES,
  LEAP_SECONDS,
  HTTP_STATUS_CODES,
  SI_UNITS,
  UNIT_CONVERSIONS,
  US_STATES,
  ...DATA_REFERENCES,
  ...SPECIALISED_DATA_REFERENCES,
  ...SERVICE_REFERENCES,
  ...FINANCE_REFERENCES,
  ...DIGITAL_ASSET_REFERENCES,
  ...REAL_ESTATE_REFERENCES,
  ...GOODS_REFERENCES,
  ...WRITING_REFERENCES,
  ...WORK_REFERENCES,
  ...ACCESS_REFERENCES,
];

const BY_ID: ReadonlyMap<string, PlatformListing> = new Map(
  PLATFORM_LISTINGS.map((listing) => [listing.id, listing]),
);

export function platformListing(id: string): PlatformListing | undefined {
  return BY_ID.get(id);
}
