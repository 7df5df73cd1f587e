import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { EmptyTemplate } from './empty-template.tsx';

/** Where purchases would be. */
export function NoPurchases() {
  return (
    <EmptyTemplate id="no-purchases" icon={INTERFACE_ICONS.receipt} title="Nothing is bought yet">
      <p>Begin with something free: it is delivered at once, with a receipt.</p>
      <p class="actions">
        <a class="button" href="/listings?price=free">
          See what is free
        </a>
        <a class="button quiet" href="/listings">
          Search all listings
        </a>
      </p>
    </EmptyTemplate>
  );
}
