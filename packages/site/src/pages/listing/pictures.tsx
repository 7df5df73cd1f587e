import { countNoun } from '../../format/figures.ts';
import { largePictures } from '../../pictures/picture-of.ts';

interface Pictures {
  readonly listing: Parameters<typeof largePictures>[0];
}

/** The pictures of the seller, which one moves through sideways. Each opens as a whole. */
export function Pictures({ listing }: Pictures) {
  const pictures = largePictures(listing);
  if (pictures.length === 0) return null;
  const label = `${countNoun(pictures.length, 'picture')} of the seller`;
  return (
    <section aria-label={label}>
      <ul class={pictures.length === 1 ? 'pictures alone' : 'pictures'}>
        {pictures.map(({ path, width, height }, index) => (
          <li>
            <a href={path}>
              <img
                src={path}
                alt={`${index + 1} of ${pictures.length}`}
                width={width}
                height={height}
                loading={index === 0 ? 'eager' : 'lazy'}
                decoding="async"
              />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
