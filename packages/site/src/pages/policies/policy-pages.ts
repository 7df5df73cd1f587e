import { privacyPage } from './privacy.tsx';
import { prohibitedPage } from './prohibited.tsx';
import { termsPage } from './terms.tsx';

export const policyPages = [prohibitedPage, termsPage, privacyPage];
