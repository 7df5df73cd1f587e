import { page } from '../world.ts';
import { endpoint, paging } from './endpoint.ts';
import { hash, integer, list, params, text } from './params.ts';

const PATH = '/v1/events';

export const eventEndpoints = [
  endpoint(
    'GET',
    PATH,
    params({}, { ...paging, created: hash({}, { gte: integer, lte: integer }), types: list(text()) }),
    (world, { created, types, ...rest }) => {
      const matching = world.state.events.filter(
        (one) =>
          one.account === undefined &&
          one.created >= (created?.gte ?? 0) &&
          one.created <= (created?.lte ?? Number.MAX_SAFE_INTEGER) &&
          (types === undefined || types.includes(one.type)),
      );
      return page(PATH, matching, rest);
    },
  ),
];
