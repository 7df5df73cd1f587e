import type { IconData } from '../icons/icon-data.ts';

/** An icon in the colour of the text beside it, which says the same: screen readers skip it. */
export function Icon({ icon, size = 16 }: { icon: IconData; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      {icon.node.map(([name, { key: _key, ...attributes }]) => {
        const Shape = name as 'path';
        return <Shape {...attributes} />;
      })}
    </svg>
  );
}

/** An icon on a tile of 40 pixels, as it stands before a row. */
export function IconTile({ icon }: { icon: IconData }) {
  return (
    <span class="icon-tile">
      <Icon icon={icon} size={22} />
    </span>
  );
}
