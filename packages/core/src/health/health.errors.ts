import { defineErrors } from '../kernel/errors.ts';

export const healthErrors = defineErrors({
  not_health_data: {
    kind: 'not_found',
    title: 'No consent is kept for a listing with this id.',
    remedy: 'Find personal health data with GET /health-data/listings.',
  },
  intended_use_not_authorized: {
    kind: 'unprocessable',
    title: 'The seller did not authorize this use of the data.',
    remedy:
      "See the listing's authorizedUses. academic_research needs research, commercial_research needs commercial, " +
      'ai_training needs ai_training, other needs all three.',
  },
});
