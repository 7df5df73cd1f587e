import { verticalBySlug } from '@agent-marketplace/core/catalogue/index.ts';
import { canonicalJson } from '@agent-marketplace/core/kernel/canonical-json.ts';
import { type Listing, viewListing } from '@agent-marketplace/core/listings/listing-view.rules.ts';
import { PLATFORM_LISTINGS } from '@agent-marketplace/core/platform/platform-listings.ts';
