import { offerRegistration } from '../parts/console/offer-registration.ts';

document.querySelector('#without-script')?.remove();
offerRegistration('register page');
