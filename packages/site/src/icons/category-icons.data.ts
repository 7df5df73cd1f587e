import briefcase from '@lucide/icons/icons/briefcase';
import cpu from '@lucide/icons/icons/cpu';
import database from '@lucide/icons/icons/database';
import fileText from '@lucide/icons/icons/file-text';
import hardDrive from '@lucide/icons/icons/hard-drive';
import house from '@lucide/icons/icons/house';
import keyRound from '@lucide/icons/icons/key-round';
import landmark from '@lucide/icons/icons/landmark';
import lightbulb from '@lucide/icons/icons/lightbulb';
import packageIcon from '@lucide/icons/icons/package';
import shapes from '@lucide/icons/icons/shapes';
import trendingUp from '@lucide/icons/icons/trending-up';
import wrench from '@lucide/icons/icons/wrench';
import type { IconData } from './icon-data.ts';

/** The icon of each category, by its slug. */
export const CATEGORY_ICONS: Readonly<Record<string, IconData>> = {
  data: database,
  services: wrench,
  investments: trendingUp,
  'digital-assets': hardDrive,
  'real-estate': house,
  products: packageIcon,
  documents: fileText,
  jobs: briefcase,
  compute: cpu,
  access: keyRound,
  capital: landmark,
  ip: lightbulb,
  other: shapes,
};
