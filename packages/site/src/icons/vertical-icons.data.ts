import badgeDollarSign from '@lucide/icons/icons/badge-dollar-sign';
import bedDouble from '@lucide/icons/icons/bed-double';
import bot from '@lucide/icons/icons/bot';
import brain from '@lucide/icons/icons/brain';
import building from '@lucide/icons/icons/building';
import car from '@lucide/icons/icons/car';
import chartCandlestick from '@lucide/icons/icons/chart-candlestick';
import circuitBoard from '@lucide/icons/icons/circuit-board';
import cloudSun from '@lucide/icons/icons/cloud-sun';
import codeXml from '@lucide/icons/icons/code-xml';
import cog from '@lucide/icons/icons/cog';
import copyright from '@lucide/icons/icons/copyright';
import globe from '@lucide/icons/icons/globe';
import gpu from '@lucide/icons/icons/gpu';
import graduationCap from '@lucide/icons/icons/graduation-cap';
import hammer from '@lucide/icons/icons/hammer';
import handHelping from '@lucide/icons/icons/hand-helping';
import house from '@lucide/icons/icons/house';
import images from '@lucide/icons/icons/images';
import languages from '@lucide/icons/icons/languages';
import laptop from '@lucide/icons/icons/laptop';
import layoutTemplate from '@lucide/icons/icons/layout-template';
import map from '@lucide/icons/icons/map';
import microscope from '@lucide/icons/icons/microscope';
import network from '@lucide/icons/icons/network';
import palette from '@lucide/icons/icons/palette';
import penTool from '@lucide/icons/icons/pen-tool';
import plug from '@lucide/icons/icons/plug';
import receipt from '@lucide/icons/icons/receipt';
import rocket from '@lucide/icons/icons/rocket';
import ruler from '@lucide/icons/icons/ruler';
import signature from '@lucide/icons/icons/signature';
import smartphone from '@lucide/icons/icons/smartphone';
import stethoscope from '@lucide/icons/icons/stethoscope';
import store from '@lucide/icons/icons/store';
import ticket from '@lucide/icons/icons/ticket';
import type { IconData } from './icon-data.ts';

/** The icon of each vertical that has one of its own, by its slug; the others show their category’s. */
export const VERTICAL_ICONS: Readonly<Record<string, IconData>> = {
  'domain-names': globe,
  'software-templates': layoutTemplate,
  'media-assets': images,
  'homes-for-sale': house,
  rentals: bedDouble,
  'commercial-property': store,
  electronics: smartphone,
  vehicles: car,
  'wanted-requests': handHelping,
  'startup-equity': rocket,
  'loans-receivables': receipt,
  grants: graduationCap,
  'venture-funding': badgeDollarSign,
  'web-data': network,
  'market-data': chartCandlestick,
  'weather-environment': cloudSun,
  geospatial: map,
  'ai-training-data': brain,
  'company-data': building,
  'reference-data': ruler,
  'personal-health': stethoscope,
  'research-briefs': microscope,
  'contract-templates': signature,
  patents: cog,
  'content-licensing': copyright,
  'software-development': codeXml,
  'translation-language': languages,
  'creative-design': palette,
  'agent-tasks': bot,
  'local-services': hammer,
  'tech-jobs': laptop,
  'freelance-gigs': penTool,
  'gpu-compute': gpu,
  'model-inference': circuitBoard,
  'api-access': plug,
  'event-tickets': ticket,
};
