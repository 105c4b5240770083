import { createOpenApiDocument } from '../admin/openapi/document.ts';
import type { OpenApi } from '../admin/openapi/open-api.ts';
import { describeWebhooks } from '../announcements/webhooks.ts';

/** Creates the OpenAPI document of the administrative API and of the announcements. */
export const createOpenApi = (): OpenApi => createOpenApiDocument(describeWebhooks());
