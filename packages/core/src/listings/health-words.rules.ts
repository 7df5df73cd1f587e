import type { Json } from '../kernel/json/json.ts';

/** Records of a single person by their very name, or formats that hold nothing else. */
const RECORDS = [
  ...[
    'dicom',
    'fhir',
    'hl7',
    'ccda',
    '23andme',
    'ancestrydna',
    'myheritage dna',
    'apple health',
    'google fit export',
  ],
  ...[
    'medical record',
    'medical history',
    'health record',
    'patient record',
    'patient file',
    'patient chart',
  ],
  ...[
    'clinical notes',
    'discharge summary',
    'doctor s letter',
    'dental record',
    'vision record',
    'vaccination record',
  ],
  ...[
    'immunization record',
    'vaccination card',
    'prescription record',
    'prescription history',
    'therapy notes',
  ],
  ...[
    'lab results',
    'lab report',
    'blood work',
    'bloodwork',
    'wearable export',
    'sleep log',
    'period tracker',
  ],
  ...[
    'symptom diary',
    'psychiatric evaluation',
    'personal health',
    'raw genotype',
    'health app export',
    'garmin export',
  ],
  ...[
    'fitbit export',
    'oura export',
    'whoop export',
    'biopsy report',
    'radiology report',
    'pathology report',
  ],
];

/** What such records are about. Alone they may as well be of a whole population, or of no person. */
const HEALTH = [
  ...[
    'blood test',
    'blood pressure',
    'blood sugar',
    'blood type',
    'glucose',
    'cgm',
    'insulin',
    'cholesterol',
    'hba1c',
  ],
  ...[
    'heart rate',
    'hrv',
    'ecg',
    'ekg',
    'eeg',
    'spo2',
    'mri',
    'ct scan',
    'x ray',
    'ultrasound',
    'mammogram',
    'sonogram',
  ],
  ...[
    'genome',
    'genetic data',
    'genotype',
    'exome',
    'dna',
    'vcf',
    'biopsy',
    'hormone',
    'testosterone',
    'estrogen',
  ],
  ...[
    'diagnosis',
    'diagnoses',
    'medication',
    'prescription',
    'symptom',
    'allergy',
    'allergies',
    'vaccination',
  ],
  ...[
    'vaccine',
    'immunization',
    'antidepressant',
    'depression',
    'anxiety',
    'adhd',
    'bipolar',
    'mental health',
  ],
  ...[
    'therapy session',
    'psychotherapy',
    'diabetes',
    'diabetic',
    'cancer',
    'chemotherapy',
    'tumour',
    'tumor',
    'hiv',
  ],
  ...[
    'std test',
    'pregnancy',
    'menstrual',
    'menstruation',
    'fertility',
    'ivf',
    'body composition',
    'body fat',
    'bmi',
  ],
  ...[
    'weigh in',
    'sleep',
    'steps',
    'wearable',
    'fitbit',
    'oura',
    'whoop',
    'garmin',
    'dental',
    'teeth',
    'retina',
  ],
  ...[
    'eye exam',
    'hearing test',
    'audiogram',
    'asthma',
    'epilepsy',
    'seizure',
    'migraine',
    'surgery',
    'hospital',
  ],
  ...[
    'clinic',
    'microbiome',
    'stool sample',
    'urine',
    'health data',
    'addiction',
    'rehab',
    'disability',
    'checkup',
  ],
];

/** Words by which a text speaks of one person. */
const PERSON = [
  ...[
    'my',
    'mine',
    'i',
    'me',
    'myself',
    'own',
    'his',
    'her',
    'patient',
    'one person',
    'single person',
    'one individual',
  ],
  ...[
    'single individual',
    'an individual',
    'personal',
    'self tracked',
    'self tracking',
    'n 1',
    'year old',
    'yo male',
  ],
  ...[
    'yo female',
    'date of birth',
    'dob',
    'birthdate',
    'mother',
    'father',
    'wife',
    'husband',
    'daughter',
    'son',
  ],
  ...[
    'mum',
    'mom',
    'dad',
    'grandmother',
    'grandfather',
    'sister',
    'brother',
    'girlfriend',
    'boyfriend',
    'colleague',
  ],
  ...['neighbour', 'neighbor', 'celebrity', 'named person', 'client s', 'employee s', 'subject id', 'mrn'],
];

/** What a seller says of a listing, as far as it can tell that a single person's health is for sale. */
export interface ListingWords {
  readonly title: string;
  readonly description: string;
  readonly preview: Json;
  readonly subcategory?: string | null | undefined;
  readonly contextTags?: Json | undefined;
}

/**
 * The words by which a listing says that it sells the health data of a single person, in any vertical; none, if it does
 * not. They are looked for one after the other in plain text, so that the cost is in proportion to the text.
 */
export function personalHealthWords(listing: ListingWords): string[] {
  const { title, description, preview, subcategory = null, contextTags = null } = listing;
  const text = wordsOf([title, description, subcategory, contextTags, preview]);
  const found = (phrases: readonly string[]) => phrases.filter((phrase) => hasPhrase(text, phrase));
  const records = found(RECORDS);
  const health = found(HEALTH);
  const person = health.length > 0 ? found(PERSON) : [];
  return person.length > 0 ? [...records, ...health, ...person] : records;
}

/** The words of a value and of all that it contains, in lower case: as they are, and with those of `camelCase` apart. */
function wordsOf(value: Json): string {
  const text = JSON.stringify(value)
    .replaceAll(/\\[nrtbf]/g, ' ')
    .normalize('NFKC');
  const apart = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const tokens = `${text}\n${apart}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return ` ${tokens.join(' ')} `;
}

/** The phrase as whole words, in the singular or the plural. */
function hasPhrase(text: string, phrase: string): boolean {
  return text.includes(` ${phrase} `) || text.includes(` ${phrase}s `);
}
