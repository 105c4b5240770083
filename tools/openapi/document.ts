import { calls, operations } from '../../src/app/operations.ts';
import { createOpenApiDocument } from './describe-api.ts';
import { describeWebhooks } from './describe-webhooks.ts';

/** The file that describes the administrative API and the announcements. */
export const file = 'docs/openapi.json';

/** The administrative API and the announcements, OpenAPI 3.1. */
export const createOpenApi = () => createOpenApiDocument({ calls, operations }, describeWebhooks());

/** Returns the content of {@link file}. */
export const writeDocument = (): string => `${JSON.stringify(createOpenApi(), null, 2)}\n`;
