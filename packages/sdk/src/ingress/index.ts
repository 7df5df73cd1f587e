export { AdmissionRefused } from './admission-refused.ts';
export { type Admission, Berth, type BerthOptions } from './berth.ts';
export { type AdmissionRequest, type AdmissionTerms, type BerthKey, berthKeyOf } from './berth-key.ts';
export {
  type AdmissionVerification,
  type InvalidAdmissionReason,
  verifyAdmission,
} from './verify-admission.ts';
