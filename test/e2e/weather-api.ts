import { serveOnLoopback } from '@agent-marketplace/devkit/loopback-server.ts';

/** A small API in the shape of open-meteo's, with its OpenAPI document. */
export interface WeatherApi {
  readonly documentUrl: string;
  /** The paths and keys that it was asked with. */
  readonly requests: { readonly path: string; readonly key: string | undefined }[];
  close(): Promise<void>;
}

/** It asks for the key, if there is one. */
export async function startWeatherApi(key: string | null): Promise<WeatherApi> {
  const requests: WeatherApi['requests'] = [];
  const { port, close } = await serveOnLoopback((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const answer = (status: number, body: object, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    if (url.pathname === '/openapi.json')
      return answer(200, key === null ? { ...DOCUMENT, security: [] } : DOCUMENT);
    const sent = request.headers['x-api-key'];
    requests.push({ path: request.url ?? '', key: typeof sent === 'string' ? sent : undefined });
    if (key !== null && sent !== key) return answer(401, { error: true, reason: 'Invalid API key' });
    if (url.pathname !== '/v1/forecast') return answer(404, { error: true });
    const latitude = Number(url.searchParams.get('latitude'));
    const longitude = Number(url.searchParams.get('longitude'));
    if (Math.abs(latitude) === 90) return answer(400, { error: true, reason: 'No data for the poles' });
    if (longitude === 180) return answer(429, { error: true }, { 'retry-after': '7' });
    const isMetric = url.searchParams.get('temperature_unit') !== 'fahrenheit';
    const hourly = url.searchParams.getAll('hourly');
    return answer(200, {
      latitude,
      longitude,
      generationtime_ms: 0.5,
      current_weather: { time: '2026-06-01T12:00', temperature: isMetric ? 18.5 : 65.3, windspeed: 12.1 },
      hourly: Object.fromEntries(hourly.map((name) => [name, [1.5, 2, null]])),
    });
  });
  return {
    documentUrl: `http://localhost:${port}/openapi.json`,
    requests,
    close,
  };
}

const DOCUMENT = {
  openapi: '3.0.0',
  info: { title: 'Weather Forecast API', description: 'Weather of any place on earth.', version: '1.0' },
  servers: [{ url: '/' }],
  security: [{ key: [] }],
  paths: {
    '/v1/forecast': {
      get: {
        operationId: 'forecast',
        tags: ['Weather'],
        summary: '7 day weather forecast for coordinates',
        description: 'The current weather, and hourly variables if they are asked for.',
        parameters: [
          { $ref: '#/components/parameters/latitude' },
          {
            name: 'longitude',
            in: 'query',
            required: true,
            description: 'WGS84',
            example: 13.4,
            schema: { type: 'number', minimum: -180, maximum: 180 },
          },
          {
            name: 'hourly',
            in: 'query',
            schema: { type: 'array', uniqueItems: true, items: { type: 'string', pattern: '^[a-z_0-9]+$' } },
          },
          {
            name: 'temperature_unit',
            in: 'query',
            schema: { type: 'string', enum: ['celsius', 'fahrenheit'], default: 'celsius' },
          },
        ],
        responses: {
          200: {
            description: 'OK',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Forecast' } } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    parameters: {
      latitude: {
        name: 'latitude',
        in: 'query',
        required: true,
        example: 52.52,
        schema: { type: 'number', minimum: -90, maximum: 90 },
      },
    },
    schemas: {
      Forecast: {
        type: 'object',
        required: ['latitude', 'longitude', 'current_weather'],
        properties: {
          latitude: { type: 'number' },
          longitude: { type: 'number' },
          current_weather: {
            type: 'object',
            properties: {
              time: { type: 'string' },
              temperature: { type: 'number' },
              windspeed: { type: 'number' },
            },
          },
          hourly: {
            type: 'object',
            additionalProperties: { type: 'array', items: { type: 'number', nullable: true } },
          },
        },
      },
    },
  },
};
