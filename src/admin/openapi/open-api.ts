import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../../http/json-schema.ts';
import { found } from '../../http/problem.ts';
import { needs } from '../access.ts';
import { schemaParams } from '../queries.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly example?: unknown;
  readonly schema: JsonSchema;
}

export interface Reference {
  readonly $ref: string;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

interface DescribedAnswer {
  readonly description: string;
  readonly content?: Content;
}

export interface DescribedCall {
  readonly operationId?: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** With the roles that they need. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, DescribedAnswer | Reference>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: object;
  readonly tags: readonly object[];
  readonly servers: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedCall>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DescribedCall }>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, DescribedAnswer>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

/** By another feature, which knows the announcements. */
export interface ApiDescription {
  readonly createOpenApi: () => OpenApi;
  /** Undefined for an unknown type. */
  readonly describeData: (type: string) => JsonSchema | undefined;
}

/** `GET /openapi.json` and `GET /schemas/{type}`. */
export function descriptionRoutes(app: FastifyInstance, { createOpenApi, describeData }: ApiDescription): void {
  app.get('/openapi.json', needs.read, async () => createOpenApi());

  app.get('/schemas/:type', needs.read, async ({ params }) => {
    return found(describeData(schemaParams.parse(params).type), 'There is no such type of announcements.');
  });
}
