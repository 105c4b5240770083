import { createOpenApiDocument } from '../admin/openapi/document.ts';
import { describeWebhooks } from '../announcements/webhooks.ts';

/** Creates the OpenAPI document of the administrative API and of the announcements. */
export const createOpenApi = (): object => createOpenApiDocument(describeWebhooks());
