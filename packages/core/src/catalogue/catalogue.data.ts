import type { Vertical } from './vertical.ts';
import { ASSET_VERTICALS } from './verticals/assets.data.ts';
import { FINANCE_VERTICALS } from './verticals/finance.data.ts';
import { INFORMATION_VERTICALS } from './verticals/information.data.ts';
import { WORK_VERTICALS } from './verticals/work.data.ts';

export type { Vertical } from './vertical.ts';

export interface Category {
  readonly slug: string;
  readonly name: string;
  /** One emoji. */
  readonly icon: string;
  readonly description: string;
}

/** The macro-categories, in the order in which the specification names them. */
export const CATEGORIES: readonly Category[] = [
  {
    slug: 'data',
    name: 'Data',
    icon: '📊',
    description: 'Data sets and data feeds: web, market, weather, geographic, training, reference, health.',
  },
  {
    slug: 'services',
    name: 'Services',
    icon: '🛠️',
    description: 'Work done to order by people or agents: software, language, design, tasks, local trades.',
  },
  {
    slug: 'investments',
    name: 'Investments',
    icon: '📈',
    description: 'Stakes and claims that may pay a return: equity, loans, receivables, funds.',
  },
  {
    slug: 'digital-assets',
    name: 'Digital assets',
    icon: '💾',
    description:
      'Things that exist only as files or registrations: domain names, code, images, audio, models.',
  },
  {
    slug: 'real-estate',
    name: 'Real estate',
    icon: '🏠',
    description: 'Land and buildings for sale or rent, and information about them.',
  },
  {
    slug: 'products',
    name: 'Products',
    icon: '📦',
    description: 'Physical goods that are shipped or collected, new and used.',
  },
  {
    slug: 'documents',
    name: 'Documents',
    icon: '📄',
    description: 'Written work that is delivered as text: briefs, reports, templates, guides.',
  },
  {
    slug: 'jobs',
    name: 'Jobs',
    icon: '💼',
    description: 'Vacancies, contracts and gigs, and people looking for them.',
  },
  {
    slug: 'compute',
    name: 'Compute',
    icon: '🖥️',
    description: 'Processor time, accelerators, storage and model inference.',
  },
  {
    slug: 'access',
    name: 'Access',
    icon: '🔑',
    description:
      'Rights to use something for a time: programming interfaces, events, memberships, facilities.',
  },
  {
    slug: 'capital',
    name: 'Capital',
    icon: '🏦',
    description: 'Money on offer: grants, venture funding, loans, and the terms that come with it.',
  },
  {
    slug: 'ip',
    name: 'Intellectual property',
    icon: '💡',
    description: 'Patents, trade marks, designs and licences to use protected work.',
  },
  {
    slug: 'other',
    name: 'Other',
    icon: '🧩',
    description: 'Whatever fits none of the other categories, and requests for things not yet on offer.',
  },
];

const DECLARED: readonly Vertical[] = [
  ...INFORMATION_VERTICALS,
  ...WORK_VERTICALS,
  ...ASSET_VERTICALS,
  ...FINANCE_VERTICALS,
];

/** All verticals, grouped by category in the order of CATEGORIES. */
export const VERTICALS: readonly Vertical[] = CATEGORIES.flatMap((category) =>
  DECLARED.filter((vertical) => vertical.categorySlug === category.slug),
);

/** The research shelf: class RESEARCH searches it, class COMMERCE leaves it out. */
export const RESEARCH_VERTICAL_SLUG = 'research-briefs';

/** Listings here come only from the dedicated health-data flow, with a consent record. */
export const PERSONAL_HEALTH_VERTICAL_SLUG = 'personal-health';
