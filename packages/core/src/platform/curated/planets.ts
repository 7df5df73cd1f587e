import { decimal, flag, orNull, text, whole } from '../schema.ts';
import { atLeast, atMost, equals, key } from '../table.ts';
import { curatedTable } from './curated.ts';

export const PLANETS = curatedTable({
  id: '2da9cdd8-3d1c-418d-8b54-51f10a586e4d',
  slug: 'planets',
  title: 'Planets of the Solar System: physical and orbital data',
  description:
    'The eight planets with mass, size, gravity, rotation, orbit, temperature and pressure, as given in NASA’s ' +
    'planetary fact sheet, by name, order from the Sun, or range. Diameters are equatorial. Negative rotation ' +
    'periods are retrograde. Surface pressure is null for the giant planets, which have no surface; their ' +
    'temperature is that at 1 bar. Counts of moons are left out because discoveries keep changing them.',
  source: 'NASA Space Science Data Coordinated Archive: Planetary Fact Sheet, metric.',
  method: 'Transcribed; orbital distances checked against eccentricities',
  example: { name: 'Mars' },
  columns: {
    order: whole('Order from the Sun, 1-8.', { minimum: 1, maximum: 8 }),
    name: text('Name.'),
    mass1e24Kg: decimal('Mass, in 10^24 kg.'),
    diameterKm: whole('Equatorial diameter, in km.'),
    densityKgPerM3: whole('Mean density, in kg/m^3.'),
    gravityMPerS2: decimal('Equatorial gravity (at 1 bar for giants), in m/s^2.'),
    escapeVelocityKmPerS: decimal('Escape velocity, in km/s.'),
    rotationPeriodH: decimal('Sidereal rotation period, in hours; negative is retrograde.'),
    lengthOfDayH: decimal('Length of the solar day, in hours.'),
    distanceFromSun1e6Km: decimal('Semi-major axis, in 10^6 km.'),
    perihelion1e6Km: decimal('Perihelion, in 10^6 km.'),
    aphelion1e6Km: decimal('Aphelion, in 10^6 km.'),
    orbitalPeriodDays: decimal('Sidereal orbital period, in Earth days.'),
    orbitalVelocityKmPerS: decimal('Mean orbital velocity, in km/s.'),
    orbitalInclinationDeg: decimal('Inclination to the ecliptic, in degrees.'),
    orbitalEccentricity: decimal('Orbital eccentricity.'),
    obliquityDeg: decimal('Obliquity to orbit, in degrees.'),
    meanTemperatureC: whole('Mean temperature, in degrees Celsius.'),
    surfacePressureBar: orNull(decimal('Surface pressure, in bar.')),
    hasRings: flag('Has a ring system.'),
    hasGlobalMagneticField: flag('Has a global magnetic field.'),
  },
  // biome-ignore format: one planet a line keeps the columns comparable
  rows: [
    [1, 'Mercury', 0.33, 4879, 5429, 3.7, 4.3, 1407.6, 4222.6, 57.9, 46, 69.8, 88, 47.4, 7, 0.206, 0.034, 167, 0, false, true],
    [2, 'Venus', 4.87, 12104, 5243, 8.9, 10.4, -5832.5, 2802, 108.2, 107.5, 108.9, 224.7, 35, 3.4, 0.007, 177.4, 464, 92, false, false],
    [3, 'Earth', 5.97, 12756, 5514, 9.8, 11.2, 23.9, 24, 149.6, 147.1, 152.1, 365.2, 29.8, 0, 0.017, 23.4, 15, 1, false, true],
    [4, 'Mars', 0.642, 6792, 3934, 3.7, 5, 24.6, 24.7, 228, 206.7, 249.3, 687, 24.1, 1.8, 0.094, 25.2, -65, 0.01, false, false],
    [5, 'Jupiter', 1898, 142984, 1326, 23.1, 59.5, 9.9, 9.9, 778.5, 740.6, 816.4, 4331, 13.1, 1.3, 0.049, 3.1, -110, null, true, true],
    [6, 'Saturn', 568, 120536, 687, 9, 35.5, 10.7, 10.7, 1432, 1357.6, 1506.5, 10747, 9.7, 2.5, 0.052, 26.7, -140, null, true, true],
    [7, 'Uranus', 86.8, 51118, 1270, 8.7, 21.3, -17.2, 17.2, 2867, 2732.7, 3001.4, 30589, 6.8, 0.8, 0.047, 97.8, -195, null, true, true],
    [8, 'Neptune', 102, 49528, 1638, 11, 23.5, 16.1, 16.1, 4515, 4471.1, 4558.9, 59800, 5.4, 1.8, 0.01, 28.3, -200, null, true, true],
  ],
  filters: {
    name: key('name'),
    order: key('order'),
    minMass1e24Kg: atLeast('mass1e24Kg'),
    maxMass1e24Kg: atMost('mass1e24Kg'),
    minDistanceFromSun1e6Km: atLeast('distanceFromSun1e6Km'),
    maxDistanceFromSun1e6Km: atMost('distanceFromSun1e6Km'),
    hasRings: equals('hasRings'),
    hasGlobalMagneticField: equals('hasGlobalMagneticField'),
  },
});
