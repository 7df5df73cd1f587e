export { type Admission, Berth, type BerthOptions } from './berth.ts';
export { type AdmissionRequest, type AdmissionTerms, type BerthKey, berthKeyOf } from './berth-key.ts';
export { AdmissionRefused } from './errors.ts';
export {
  type AdmissionVerification,
  type InvalidAdmissionReason,
  verifyAdmission,
} from './verify-admission.ts';
