import type { FastifyInstance } from 'fastify';
import { needs } from './access.ts';
import type { Answer } from './answers.ts';
import type { AuditLog } from './audit.ts';
import { pageOf, showAuditEntry } from './presentation.ts';
import { auditQuery } from './queries.ts';

/** Dependencies of the route of the audit log. */
export interface AuditRoutesDeps {
  readonly audit: Pick<AuditLog, 'list'>;
}

/** Adds `GET /audit`: what people changed, the newest first. */
export function auditRoutes(app: FastifyInstance, { audit }: AuditRoutesDeps): void {
  app.get('/audit', needs.read, async ({ query }): Promise<Answer<'AuditPage'>> => {
    const { after: before, limit, ...filter } = auditQuery.parse(query);
    const rows = await audit.list(filter, { limit, ...(before !== undefined && { before }) });
    return pageOf(rows, limit, { show: showAuditEntry, placeOf: ({ id }) => String(id) });
  });
}
