import { z } from 'zod';
import { OPERATOR_HEADER } from '../../src/admin/audit.ts';
import { type ApiOperation, type Call, type Operations, tags } from '../../src/admin/call.ts';
import { CSV_TYPE } from '../../src/admin/views/csv.ts';
import { capitalized } from '../../src/base/text.ts';
import type { JsonSchema } from '../../src/destinations/announcements/cloud-event.ts';
import { PROBLEM_TYPE } from '../../src/http/problem.ts';
import examples from './examples.json' with { type: 'json' };
import { componentSchemas, requestSchema, schemaRef } from './schemas.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

const answers = {
  JsonSchema: z.looseObject({ $id: z.string().describe('The `dataschema` of these announcements.') }),
  OpenApiDocument: z.looseObject({ openapi: z.string() }),
  Problem: z
    .object({ type: z.string(), title: z.string(), status: z.int(), detail: z.string() })
    .describe('Problem of RFC 9457.'),
  Record: z.unknown().describe('Record of the warehouse, as it was embedded in the announcement.'),
} as const;

interface DescribedWebhooks {
  readonly webhooks: Readonly<Record<string, object>>;
  readonly parameters: Readonly<Record<string, object>>;
  readonly schemas: Schemas;
}

const problems: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The request is malformed; the detail says where.'],
  401: ['Unauthorized', 'The bearer token is missing or wrong.'],
  403: [
    'Forbidden',
    'The token lacks the role that the call needs; or there is no token, and the request does not come from a program on this machine.',
  ],
  404: ['NotFound', 'What the path names does not exist.'],
  409: ['Conflict', 'It cannot be done now; the detail says why.'],
  410: ['Gone', 'What the path names is no longer kept.'],
  413: ['ContentTooLarge', 'The body is too long.'],
  415: ['UnsupportedMediaType', 'The body is not JSON.'],
  429: [
    'TooManyRequests',
    'The address has shown too many wrong tokens; `retry-after` says for how long it is refused.',
  ],
  500: ['InternalServerError', 'The request failed; the log says why.'],
  503: ['ServiceUnavailable', 'The store, or Temporal, does not answer now.'],
};

const ofEveryCall = [400, 401, 403, 429, 500, 503];

const ofEveryAction = [413, 415];

interface DescribedApi {
  readonly calls: readonly Call[];
  readonly operations: Operations;
}

/** OpenAPI 3.1; announcements are its webhooks. */
export function createOpenApiDocument(
  { calls, operations }: DescribedApi,
  { webhooks, parameters, schemas: ofWebhooks }: DescribedWebhooks,
) {
  const schemas = sorted({
    ...componentSchemas(Object.assign({}, answers, ...calls.map((call) => call.schemas))),
    ...ofWebhooks,
  });
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dockline',
      version: '1',
      description: 'The administrative API, and the announcements that Dockline sends, as webhooks.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    servers: [{ url: 'http://127.0.0.1:3001', description: '`ADMIN_HOST` and `ADMIN_PORT` by default' }],
    paths: describePaths(operations),
    webhooks,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            '`ADMIN_TOKEN`, or one of `ADMIN_TOKENS` with the role that the call names; without any, none is needed.',
        },
        recordsToken: {
          type: 'http',
          scheme: 'bearer',
          description: '`recordsToken` of the destination that got the announcement.',
        },
      },
      parameters: {
        Operator: {
          name: OPERATOR_HEADER,
          in: 'header',
          schema: { type: 'string', pattern: '^[\\w.@-]{1,100}$' },
          description: 'Name of the person who acts, for the log. Nobody verifies it.',
          example: 'ana',
        },
        ...parameters,
      },
      responses: Object.fromEntries(Object.values(problems).map(([name, description]) => [name, problem(description)])),
      schemas,
    },
  };
}

const problem = (description: string) => ({
  description,
  content: { [PROBLEM_TYPE]: { schema: { $ref: schemaRef('Problem') } } },
});

function describePaths(operations: Operations) {
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {};
  for (const [call, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = call.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, method === 'POST') };
  }
  return paths;
}

function describeOperation(
  { id, summary, tag, description, role, isForReceivers, params, query, body, csv, ...outcome }: ApiOperation,
  isAction: boolean,
) {
  const statuses = [
    ...ofEveryCall.filter((status) => status !== 403 || !isForReceivers),
    ...(isAction ? ofEveryAction : []),
    ...(outcome.problems ?? []),
  ];
  const parameters = [
    ...(params ? parametersOf(requestSchema(params), 'path') : []),
    ...(query ? parametersOf(requestSchema(query), 'query') : []),
    ...(isAction ? [{ $ref: '#/components/parameters/Operator' }] : []),
  ];
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: [isForReceivers ? { recordsToken: [] } : { token: [role ?? (isAction ? 'act' : 'read')] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': exemplified(requestSchema(body), id, 'body') },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(outcome.answers).map(([status, name]) => [
          status,
          {
            description: status === '202' ? 'It was accepted and is under way.' : 'It was done.',
            content: {
              'application/json': exemplified({ $ref: schemaRef(name) }, id, status),
              ...(csv !== undefined && { [CSV_TYPE]: { schema: { type: 'string' as const } } }),
            },
          },
        ]),
      ),
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/${problems[status]?.[0]}` }]),
      ),
    },
  };
}

const exemplified = (schema: JsonSchema, id: string, of: string) => ({
  schema,
  example: (examples as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[id]?.[of],
});

function parametersOf({ properties = {}, required = [] }: JsonSchema, place: 'path' | 'query') {
  return Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description = '', examples, ...schema }]) => ({
      name,
      in: place,
      ...(required.includes(name) && { required: true }),
      description: sentence(description),
      example: examples?.[0] ?? schema.default ?? schema.enum?.[0],
      schema,
    }),
  );
}

const sentence = (text: string): string => capitalized(text).replace(/[^.]$/, '$&.');

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
