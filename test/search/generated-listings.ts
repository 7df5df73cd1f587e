export interface GeneratedListing {
  /** Field and place: what a question names. */
  readonly key: string;
  /** A number below `SELLERS`. */
  readonly seller: number;
  readonly verticalSlug: string;
  readonly title: string;
  readonly description: string;
  readonly priceCents: number;
  readonly createdAt: string;
}

export const SELLERS = 120;

interface Field {
  readonly key: string;
  readonly vertical: string;
  readonly titles: readonly ((place: string) => string)[];
  readonly description: (place: string, other: string) => string;
}

const PLACES = [
  'Lisbon',
  'Porto',
  'Madrid',
  'Seville',
  'Lyon',
  'Marseille',
  'Turin',
  'Naples',
  'Zurich',
  'Geneva',
  'Vienna',
  'Graz',
  'Munich',
  'Hamburg',
  'Leipzig',
  'Prague',
  'Brno',
  'Warsaw',
  'Kraków',
  'Gdańsk',
  'Oslo',
  'Bergen',
  'Stockholm',
  'Malmö',
  'Helsinki',
  'Tampere',
  'Dublin',
  'Cork',
  'Glasgow',
  'Leeds',
  'Toronto',
  'Montréal',
  'Boston',
  'Denver',
  'Nairobi',
  'Accra',
  'Osaka',
  'Kyoto',
  'Auckland',
  'Perth',
] as const;

/** Fields in pairs that compete: most words of one are in the other's texts too. */
const FIELDS: readonly Field[] = [
  {
    key: 'rain-hourly',
    vertical: 'weather-environment',
    titles: [(p) => `Hourly rainfall in ${p}`, (p) => `${p}: rainfall by the hour`],
    description: (p, o) =>
      `Hourly rain gauge readings of ${p} in millimetres, one row an hour since 2015. Gaps are marked. ${o} and others on request.`,
  },
  {
    key: 'rain-daily',
    vertical: 'weather-environment',
    titles: [(p) => `Daily rainfall and temperature, ${p}`, (p) => `${p} daily weather summary`],
    description: (p, o) =>
      `Daily weather at the airport of ${p}: rainfall, highest and lowest temperature. Hourly values are not included; for ${o} see our other feed.`,
  },
  {
    key: 'air',
    vertical: 'weather-environment',
    titles: [(p) => `Air quality in ${p}`, (p) => `${p} air pollution: PM2.5, NO2 and ozone`],
    description: (p, o) =>
      `Air pollution at street stations of ${p}: particulates, NO2 and ozone, hourly. Calibrated against ${o}.`,
  },
  {
    key: 'pollen',
    vertical: 'weather-environment',
    titles: [(p) => `Pollen count ${p}`, (p) => `Pollen forecast for ${p}, four days ahead`],
    description: (p, o) =>
      `Birch, grass and ragweed pollen in the air of ${p}, with a forecast. Air quality for ${o} is sold separately.`,
  },
  {
    key: 'rents',
    vertical: 'rentals',
    titles: [(p) => `Apartments to rent in ${p}`, (p) => `${p} rental flats, updated daily`],
    description: (p, o) =>
      `Flats and rooms for rent in ${p} with monthly rent, deposit and area. Landlords in ${o} can list too.`,
  },
  {
    key: 'homes',
    vertical: 'homes-for-sale',
    titles: [(p) => `Apartments for sale in ${p}`, (p) => `Houses and flats on sale, ${p}`],
    description: (p, o) =>
      `Asking prices, area and energy class of homes for sale in ${p}. Monthly rents are not included. Compare ${o}.`,
  },
  {
    key: 'home-prices',
    vertical: 'real-estate-general',
    titles: [(p) => `House price index ${p}`, (p) => `${p} home price index by quarter`],
    description: (p, o) =>
      `What homes sold for in ${p}, as an index, by district and quarter since 2005. ${o} for comparison.`,
  },
  {
    key: 'offices',
    vertical: 'commercial-property',
    titles: [(p) => `Office space in ${p}`, (p) => `Offices to let, ${p}`],
    description: (p, o) =>
      `Vacant offices to let in ${p} with rent per square metre, lease term and parking. Shops in ${o} on request.`,
  },
  {
    key: 'plumber',
    vertical: 'local-services',
    titles: [(p) => `Emergency plumber in ${p}`, (p) => `Plumbing repairs ${p}, day and night`],
    description: (p, o) =>
      `Our plumbers repair burst pipes, drains and heating in ${p}, also at night. An electrician of our team works in ${o}.`,
  },
  {
    key: 'electrician',
    vertical: 'local-services',
    titles: [(p) => `Electrician in ${p}`, (p) => `Electrical repairs and wiring, ${p}`],
    description: (p, o) =>
      `Licensed electrician for wiring, sockets, lights and other electrical work in ${p}. Our plumber serves ${o}.`,
  },
  {
    key: 'cleaning',
    vertical: 'local-services',
    titles: [(p) => `Home cleaning in ${p}`, (p) => `Cleaners for flats and offices, ${p}`],
    description: (p, o) =>
      `Cleaners for a weekly or one-off cleaning of homes and office space in ${p}, insured. Also in ${o}.`,
  },
  {
    key: 'dog',
    vertical: 'local-services',
    titles: [(p) => `Dog walking in ${p}`, (p) => `${p} dog walkers and pet sitters`],
    description: (p, o) =>
      `A dog walker walks your dog in ${p} for an hour, with photographs. Cat sitting in ${o}.`,
  },
  {
    key: 'concerts',
    vertical: 'event-tickets',
    titles: [(p) => `Concert tickets ${p}`, (p) => `Live music in ${p}: tickets`],
    description: (p, o) =>
      `Tickets for rock and classical concerts in ${p}, seats together. Football in ${o} is listed elsewhere.`,
  },
  {
    key: 'football',
    vertical: 'event-tickets',
    titles: [(p) => `Football tickets ${p}`, (p) => `${p} stadium seats for league matches`],
    description: (p, o) => `League matches at the stadium of ${p}. Concert tickets for ${o} on request.`,
  },
  {
    key: 'theatre',
    vertical: 'event-tickets',
    titles: [(p) => `Theatre tickets in ${p}`, (p) => `Plays and opera, ${p}: best seats`],
    description: (p, o) => `Evening performances in the theatres of ${p}. Concerts in ${o} are separate.`,
  },
  {
    key: 'cars',
    vertical: 'vehicles',
    titles: [(p) => `Used cars in ${p}`, (p) => `Second-hand cars, ${p} dealers`],
    description: (p, o) =>
      `Used cars with mileage, inspection and price from dealers in ${p}. Bicycles from ${o}.`,
  },
  {
    key: 'bicycles',
    vertical: 'vehicles',
    titles: [(p) => `Used bicycles ${p}`, (p) => `Refurbished e-bikes and bicycles from ${p}`],
    description: (p, o) =>
      `Second-hand bicycles, checked and repaired in ${p}. Used cars in ${o} from our partner.`,
  },
  {
    key: 'parking',
    vertical: 'geospatial',
    titles: [(p) => `Parking spaces in ${p}`, (p) => `${p} car parks: location and free spaces`],
    description: (p, o) =>
      `Coordinates, prices and live occupancy of car parks in ${p}. Street maps of ${o} on request.`,
  },
  {
    key: 'charging',
    vertical: 'geospatial',
    titles: [
      (p) => `Charging stations for electric cars in ${p}`,
      (p) => `EV chargers ${p}: places and power`,
    ],
    description: (p, o) =>
      `Where to charge an electric car in ${p}: connector, power, price. Parking in ${o} is another listing.`,
  },
  {
    key: 'transit',
    vertical: 'geospatial',
    titles: [(p) => `Bus and tram timetables, ${p}`, (p) => `Public transport schedule of ${p} (GTFS)`],
    description: (p, o) =>
      `Bus and tram stops, routes and departure times of ${p}: the whole timetable, weekly. Delays for ${o} on request.`,
  },
  {
    key: 'jobs-nurse',
    vertical: 'jobs-general',
    titles: [(p) => `Nursing jobs in ${p}`, (p) => `Vacancies for nurses, ${p} hospitals`],
    description: (p, o) =>
      `Open positions for nurses in ${p} with pay and hours. Doctors are wanted in ${o}.`,
  },
  {
    key: 'jobs-dev',
    vertical: 'tech-jobs',
    titles: [(p) => `Software developer jobs in ${p}`, (p) => `${p}: vacancies for software engineers`],
    description: (p, o) =>
      `Backend and frontend positions in ${p}, with salary and remote days. Nurses are wanted in ${o}.`,
  },
  {
    key: 'translators',
    vertical: 'translation-language',
    titles: [(p) => `Sworn translators in ${p}`, (p) => `Certified translation of documents, ${p}`],
    description: (p, o) =>
      `Birth certificates and contracts translated and stamped in ${p}. Interpreters travel to ${o}.`,
  },
  {
    key: 'interpreters',
    vertical: 'translation-language',
    titles: [(p) => `Conference interpreters ${p}`, (p) => `Interpreting at meetings in ${p}`],
    description: (p, o) =>
      `Simultaneous interpreters for conferences in ${p}. Written translation of documents from ${o}.`,
  },
  {
    key: 'companies',
    vertical: 'company-data',
    titles: [(p) => `Company register of ${p}`, (p) => `Businesses registered in ${p}: sector and headcount`],
    description: (p, o) =>
      `Name, sector, headcount and founding year of firms in ${p}. Offices in ${o} are not included.`,
  },
];

/** Some sellers name every city, so that whoever asks for one finds them. */
const EVERYWHERE = `We serve ${PLACES.join(', ')}.`;

/** 1000 listings of many sellers: each field in each place. */
export const GENERATED: readonly GeneratedListing[] = FIELDS.flatMap((field, at) =>
  PLACES.map((place, index) => {
    const n = at * PLACES.length + index;
    const neighbour = PLACES[(index * 7 + at + 3) % PLACES.length] ?? place;
    const text = field.description(place, neighbour === place ? 'Ghent' : neighbour);
    return {
      key: `${field.key} ${place}`,
      seller: (n * 37) % SELLERS,
      verticalSlug: field.vertical,
      title: field.titles[n % field.titles.length]?.(place) ?? '',
      description: n % 9 === 0 ? `${text} ${EVERYWHERE}` : text,
      priceCents: (n * 53) % 2000,
      createdAt: new Date(Date.UTC(2026, 0, 1) + ((n * 7919) % 1000) * 3_600_000).toISOString(),
    };
  }),
);

/** A question and the key of the one listing that answers it. */
export const GENERATED_QUESTIONS: readonly (readonly [question: string, key: string])[] = [
  ['how much does it rain in Lisbon each hour', 'rain-hourly Lisbon'],
  ['hourly rainfall data for Bergen', 'rain-hourly Bergen'],
  ['daily weather of Oslo', 'rain-daily Oslo'],
  ['daily temperatures in Denver', 'rain-daily Denver'],
  ['how polluted is the air in Kraków', 'air Kraków'],
  ['NO2 and ozone in Leeds', 'air Leeds'],
  ['pollen forecast Munich', 'pollen Munich'],
  ['is there grass pollen in Graz', 'pollen Graz'],
  ['renting an apartment in Vienna', 'rents Vienna'],
  ['flats for rent in Dublin', 'rents Dublin'],
  ['buy an apartment in Porto', 'homes Porto'],
  ['houses for sale in Cork', 'homes Cork'],
  ['house prices in Toronto over the years', 'home-prices Toronto'],
  ['price index of homes in Hamburg', 'home-prices Hamburg'],
  ['offices to let in Zurich', 'offices Zurich'],
  ['renting office space in Geneva', 'offices Geneva'],
  ['plumber needed in Glasgow tonight', 'plumber Glasgow'],
  ['burst pipe in Naples', 'plumber Naples'],
  ['electrician for a broken socket in Turin', 'electrician Turin'],
  ['electrical wiring Boston', 'electrician Boston'],
  ['cleaning my flat in Madrid', 'cleaning Madrid'],
  ['cleaner in Helsinki', 'cleaning Helsinki'],
  ['someone to walk my dog in Seville', 'dog Seville'],
  ['dog walker Auckland', 'dog Auckland'],
  ['concert tickets in Prague', 'concerts Prague'],
  ['football match in Marseille', 'football Marseille'],
  ['stadium seats in Warsaw', 'football Warsaw'],
  ['tickets for the theatre in Brno', 'theatre Brno'],
  ['cheap used car in Perth', 'cars Perth'],
  ['second hand bicycle in Malmö', 'bicycles Malmö'],
  ['where can I park in Lyon', 'parking Lyon'],
  ['charging an electric car in Stockholm', 'charging Stockholm'],
  ['tram timetable of Gdansk', 'transit Gdańsk'],
  ['bus departures in Kyoto', 'transit Kyoto'],
  ['jobs for nurses in Nairobi', 'jobs-nurse Nairobi'],
  ['software engineer vacancies in Accra', 'jobs-dev Accra'],
  ['developer job in Osaka', 'jobs-dev Osaka'],
  ['certified translation of a birth certificate in Tampere', 'translators Tampere'],
  ['interpreter for a conference in Leipzig', 'interpreters Leipzig'],
  ['which companies are registered in Montreal', 'companies Montréal'],
];
