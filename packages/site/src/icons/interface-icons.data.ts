import arrowRight from '@lucide/icons/icons/arrow-right';
import bell from '@lucide/icons/icons/bell';
import boxes from '@lucide/icons/icons/boxes';
import chartNoAxesColumn from '@lucide/icons/icons/chart-no-axes-column';
import circleCheck from '@lucide/icons/icons/circle-check';
import circleX from '@lucide/icons/icons/circle-x';
import clock from '@lucide/icons/icons/clock';
import gauge from '@lucide/icons/icons/gauge';
import inbox from '@lucide/icons/icons/inbox';
import keyRound from '@lucide/icons/icons/key-round';
import listChecks from '@lucide/icons/icons/list-checks';
import receiptText from '@lucide/icons/icons/receipt-text';
import scale from '@lucide/icons/icons/scale';
import search from '@lucide/icons/icons/search';
import settings from '@lucide/icons/icons/settings';
import shieldCheck from '@lucide/icons/icons/shield-check';
import star from '@lucide/icons/icons/star';
import tags from '@lucide/icons/icons/tags';
import triangleAlert from '@lucide/icons/icons/triangle-alert';
import user from '@lucide/icons/icons/user';
import wallet from '@lucide/icons/icons/wallet';
import x from '@lucide/icons/icons/x';
import type { IconData } from './icon-data.ts';

/** Icons of the pages themselves. */
export const INTERFACE_ICONS = {
  search,
  remove: x,
  done: circleCheck,
  waiting: clock,
  attention: triangleAlert,
  failed: circleX,
  star,
  check: shieldCheck,
  wallet,
  events: bell,
  person: user,
  receipt: receiptText,
  key: keyRound,
  next: arrowRight,
  dispute: scale,
  list: listChecks,
  settings,
  queue: inbox,
  goods: boxes,
  overview: chartNoAxesColumn,
  speed: gauge,
  category: tags,
} as const satisfies Readonly<Record<string, IconData>>;
