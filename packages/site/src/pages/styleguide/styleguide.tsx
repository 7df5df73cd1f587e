import { ConsoleFrame } from '../../components/console/console-frame.tsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { definePage } from '../../page.ts';
import { notFoundPage } from '../../page-errors.tsx';
import { ChartSection, FigureSection, FormSection } from './figures.tsx';
import { IconSection, MoreSection, RowSection, StateSection, TokenSection } from './parts.tsx';

/** Every part of the pages in each of its states, to be looked at during development. Elsewhere there is no such page. */
export const styleguidePage = definePage({
  path: '/styleguide',
  get({ isDevelopment }) {
    if (!isDevelopment) return notFoundPage();
    return {
      title: 'Style guide',
      description: 'Every part of the pages in each of its states.',
      isPrivate: true,
      main: (
        <div class="sections">
          <div class="page-head">
            <h1>Style guide</h1>
            <p class="lead">
              Every part of the pages, in each of its states. Change the scheme of your system to see both.
            </p>
          </div>
          <TokenSection />
          <IconSection />
          <RowSection />
          <StateSection />
          <MoreSection />
          <FigureSection />
          <ChartSection />
          <FormSection />
          <section class="stack">
            <h2>Console</h2>
            <ConsoleFrame
              name="Seller console"
              open="/styleguide"
              pages={[
                { href: '/styleguide', label: 'Overview', icon: INTERFACE_ICONS.overview },
                { href: '/styleguide#listings', label: 'Listings', icon: INTERFACE_ICONS.goods },
                { href: '/styleguide#orders', label: 'Orders', icon: INTERFACE_ICONS.queue, waiting: 3 },
                { href: '/styleguide#disputes', label: 'Disputes', icon: INTERFACE_ICONS.dispute },
              ]}
            >
              <p>The open page stands here.</p>
            </ConsoleFrame>
          </section>
        </div>
      ),
    };
  },
});
